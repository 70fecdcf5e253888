import { SECOND } from '#domain/clock.ts';
import type { BatchedStore } from '../store/batched-store.ts';
import type { LeasedBot } from '../store/bot-lease.ts';

/** How often a cycle renews its lease, and how often at most, so that a cycle that hangs loses its bot. A lease lasts 10 s. */
const RENEWAL_INTERVAL = 3 * SECOND;
const MAX_RENEWALS = 40;

/**
 * Renews a bot's lease while its cycle waits for the exchange: the address's budget alone may let a request wait for 20 s.
 * @returns a function that ends the renewals
 */
export function keepLease({ renew }: Pick<BatchedStore, 'renew'>, bot: LeasedBot): () => void {
  let left = MAX_RENEWALS;
  const timer = setInterval(() => {
    if (left-- === 0) clearInterval(timer);
    // The cycle's next write tells whether the lease is lost.
    else renew(bot).catch(() => undefined);
  }, RENEWAL_INTERVAL).unref();
  return () => clearInterval(timer);
}
