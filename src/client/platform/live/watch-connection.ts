import { isReachable, probeLater, reportUnreachable } from './reachability.ts';

/** Listens to the device. Called once by the page. */
export function watchConnection() {
  window.addEventListener('online', () => probeLater(0));
  window.addEventListener('offline', reportUnreachable);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !isReachable()) probeLater(0);
  });
  if (!isReachable()) reportUnreachable();
}
