import { createRecentMap } from '../recent-map.ts';
import type { CountStore, Limits } from './limits.ts';
import { type ShareOptions, shareCounts, type Window } from './share-counts.ts';

/** Keys that each limit counts in this process; those not used for longest are forgotten. */
const MAX_KEYS = 10_000;
/** Up to half of a limit, a process keeps less than this part of it to itself: such uses decide nothing yet. */
const KEPT_PART = 1 / 32;

export interface LimitOptions extends Omit<ShareOptions, 'now'> {
  /** Counts for all processes; undefined in the only process of a database. */
  store?: CountStore | undefined;
  now?: ShareOptions['now'];
}

/**
 * Counts in memory, and adds the uses to a store in batches, so that no request waits for it. Without the store, each process limits
 * what it counts itself.
 */
export function createLimits({ store, now = () => performance.now(), ...options }: LimitOptions): Limits {
  const names = new Set<string>();
  const shared = store && shareCounts(store, { ...options, now });

  return {
    counter(name, { max, span }) {
      if (names.has(name)) throw new Error(`Two limits are named "${name}".`);
      names.add(name);
      const windows = createRecentMap<string, Window>(MAX_KEYS);
      let forgetsAt = now() + span;
      const enough = max * KEPT_PART;
      return (key) => {
        const at = now();
        // A window that was not used for a whole span has ended.
        if (at >= forgetsAt) {
          windows.forgetUnused();
          forgetsAt = at + span;
        }
        const open = windows.get(key);
        const isOpen = open !== undefined && open.endsAt > at;
        const window = isOpen ? open : { name, key, span, endsAt: at + span, known: 0, sent: 0, waiting: 0 };
        if (!isOpen) windows.set(key, window);
        window.waiting += 1;
        const used = window.known + window.sent + window.waiting;
        const isUnsent = window.waiting === used;
        const isDue = isUnsent || window.waiting >= enough || used > max / 2;
        // Beyond the limit, further uses change nothing before the window ends: a flood costs the store nothing.
        if (isDue && window.known <= max) shared?.add(window);
        return { used, left: window.endsAt - at, isAllowed: used <= max };
      };
    },

    async close() {
      await shared?.close();
    },
  };
}
