import type { SWRConfiguration } from 'swr';
import { ApiError, NetworkError } from '../api/errors.ts';
import { isReachable, onReachabilityChange } from '../live/reachability.ts';
import { onPageCache } from '../page-cache.ts';

/** SWR ignores a repeated request for so long, ms, by timers that stop while the browser caches the page. */
const DEDUPING_INTERVAL = 2_000;

/**
 * When cached answers are fetched again. No answer expires: SWR fetches when a component mounts, when the page gets the focus, after
 * a reconnect, and at a resource's own interval. This tells it what it cannot know about the device.
 */
export const staleness: SWRConfiguration = {
  dedupingInterval: DEDUPING_INTERVAL,
  provider: () => new Map(), // SWR calls initReconnect only with a provider of its own
  isOnline: isReachable,
  initReconnect(reconnect) {
    onPageCache({ resume: () => void setTimeout(reconnect, DEDUPING_INTERVAL) });
    return onReachabilityChange(() => isReachable() && reconnect());
  },
  // After a network error, reachability starts the retry; after a 429 or a server error, SWR retries with its backoff.
  shouldRetryOnError: (error) => error instanceof ApiError && (error.status >= 500 || error.status === 429),
  onError: (error) => {
    if (!(error instanceof ApiError) && !(error instanceof NetworkError)) console.error('loading failed', error);
  },
};
