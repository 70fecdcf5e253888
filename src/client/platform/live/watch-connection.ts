import { onPageCache } from '../page-cache.ts';
import { isReachable, probeLater, reportUnreachable } from './reachability.ts';

/** Watches the browser's connection events. Call it once, at boot. */
export function watchConnection() {
  window.addEventListener('online', () => probeLater(0));
  window.addEventListener('offline', reportUnreachable);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !isReachable()) probeLater(0);
  });
  // A cached page misses these events.
  onPageCache({ resume: () => (navigator.onLine ? !isReachable() && probeLater(0) : reportUnreachable()) });
  if (!isReachable()) reportUnreachable();
}
