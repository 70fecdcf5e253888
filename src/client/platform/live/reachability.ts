import { HEALTH_PATH } from '#contract/paths.ts';
import { createValue } from '../create-value.ts';
import { API_URL } from '../settings.ts';

/**
 * Whether the server can be reached, as far as is known. `navigator.onLine` is only half the truth (a train's
 * Wi-Fi is "online"), so each call reports what it met, and after a failure the server is asked until it answers.
 * No React here: the worker makes calls too.
 */
const reachable = createValue(globalThis.navigator?.onLine ?? true);

export const isReachable = reachable.get;
/** Calls `listener` whenever the answer of `isReachable` changes; returns a function that stops it. */
export const onReachabilityChange = reachable.subscribe;

const FIRST_PROBE = 2_000;
const SLOWEST_PROBE = 30_000;
let probe: ReturnType<typeof setTimeout> | undefined;

/** Asks the server after `delay` ms, and again until it answers. */
export function probeLater(delay: number) {
  clearTimeout(probe);
  probe = setTimeout(async () => {
    if (await answers()) reachable.set(true);
    else probeLater(Math.min(Math.max(delay * 2, FIRST_PROBE), SLOWEST_PROBE));
  }, delay);
}

/** A captive portal answers too, but not in JSON. */
async function answers(): Promise<boolean> {
  const url = new URL(HEALTH_PATH, new URL(API_URL, location.origin));
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(SLOWEST_PROBE) });
    return response.ok && (response.headers.get('Content-Type')?.includes('json') ?? false);
  } catch {
    return false;
  }
}

/** An answer came. Where the device says it is offline, that answer may be the last of the old connection: ask again. */
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
