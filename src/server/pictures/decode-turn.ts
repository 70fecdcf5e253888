import { busy, tooMany } from '../http/errors.ts';
import { createFairSlots } from '../slots.ts';

interface Limits {
  /** Pictures decoded at the same time. */
  atOnce: number;
  /** Maximum of decoding and queued pictures, per user and in total. */
  perUser: number;
  perProcess: number;
}

/**
 * Queues decoding: one picture at a time per user, users in turn. Throws 429 when a user, and 503 when the process,
 * has too many pictures queued.
 */
export function createDecodeTurns({ atOnce, perUser, perProcess }: Limits) {
  const inSlot = createFairSlots({ size: atOnce, each: 1 });
  const underWay = new Map<string, number>();
  let all = 0;

  const count = (userId: string, change: number): void => {
    all += change;
    const left = (underWay.get(userId) ?? 0) + change;
    if (left > 0) underWay.set(userId, left);
    else underWay.delete(userId);
  };

  return async <T>(userId: string, decode: () => Promise<T>): Promise<T> => {
    if ((underWay.get(userId) ?? 0) >= perUser) throw tooMany('Your other pictures are still being read. Try again in a moment.');
    if (all >= perProcess) throw busy('Many pictures are being read. Please try again in a moment.');
    count(userId, 1);
    try {
      return await inSlot(userId, decode);
    } finally {
      count(userId, -1);
    }
  };
}

/** One at a time, because decoding 16 million pixels takes up to 160 MB. */
export const decodeInTurn = createDecodeTurns({ atOnce: 1, perUser: 4, perProcess: 20 });
