import { amountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { onSyncTrigger } from '#client/platform/outbox/sync-triggers.ts';
import { OPEN_PATH } from '#contract/push-limits.ts';
import { syncPush } from './push.ts';

/** Keeps this device's push subscription in step with the server, and opens what a tapped notification shows. Call it once, at boot. */
export function startPush(): void {
  if (!('serviceWorker' in navigator)) return;
  onSyncTrigger(() => void syncPush());
  amountsHidden.subscribe(() => void syncPush());
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    if (data?.type !== OPEN_PATH || typeof data.path !== 'string') return;
    ports[0]?.postMessage('opened');
    openPath(data.path);
  });
}

/** Opens a path as a tapped link does, so that a page with unsaved text asks first. */
function openPath(path: string): void {
  const url = new URL(path, location.origin);
  if (url.origin !== location.origin) return;
  const link = document.createElement('a');
  link.href = url.pathname + url.search + url.hash;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
