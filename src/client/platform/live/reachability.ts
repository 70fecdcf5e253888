import { HEALTH_PATH } from '#contract/paths.ts';
import { createValue } from '../create-value.ts';
import { API_URL } from '../settings.ts';

/**
 * Whether the server is reachable. `navigator.onLine` is not enough (a train's Wi-Fi is "online"), so each call reports
 * its outcome, and after a failure this module probes the server until it answers. No React: the worker uses it too.
 */
const reachable = createValue(globalThis.navigator?.onLine ?? true);

export const isReachable = reachable.get;
/** Calls `listener` whenever the answer of `isReachable` changes; returns a function that stops it. */
export const onReachabilityChange = reachable.subscribe;

const FIRST_PROBE = 2_000;
const SLOWEST_PROBE = 30_000;
let probe: ReturnType<typeof setTimeout> | undefined;

/**
 * Probes the server after about `delay` ms, and again with a backoff until it answers. The delay varies, so that the pages
 * that lost a server together do not all return in one moment.
 */
export function probeLater(delay: number) {
  clearTimeout(probe);
  probe = setTimeout(
    async () => {
      if (await answers()) reachable.set(true);
      else probeLater(Math.min(Math.max(delay * 2, FIRST_PROBE), SLOWEST_PROBE));
    },
    delay * (0.5 + Math.random()),
  );
}

/** Returns whether our server answers. A captive portal answers too, but not in JSON. */
async function answers(): Promise<boolean> {
  const url = new URL(HEALTH_PATH, new URL(API_URL, location.origin));
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(SLOWEST_PROBE) });
    return response.ok && (response.headers.get('Content-Type')?.includes('json') ?? false);
  } catch {
    return false;
  }
}

/** Reports an answer. If the device is offline, the answer may be the last of the old connection, so this probes again. */
export function reportReachable() {
  if (isReachable()) return;
  if (!navigator.onLine) return probeLater(0);
  clearTimeout(probe);
  reachable.set(true);
}

export function reportUnreachable() {
  reachable.set(false);
  probeLater(FIRST_PROBE);
}
