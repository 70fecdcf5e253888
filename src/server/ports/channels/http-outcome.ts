import { PrivateAddress } from '../outgoing/post.ts';
import type { Outcome } from './channel.ts';

interface Answer {
  status: number;
  /** ms, from `Retry-After`. */
  after: number | undefined;
}

interface Receiver {
  /** Such as "The receiver". */
  name: string;
  /** Statuses by which the destination says that it exists no more. */
  gone: readonly number[];
  /** Refusals that are the message's fault. */
  excused?: readonly number[];
}

/** Returns what came of a message that a receiver answered by HTTP. */
export function httpOutcome({ status, after }: Answer, { name, gone, excused = [] }: Receiver): Outcome {
  const reason = `${name} answered ${status}`;
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (gone.includes(status)) return { outcome: 'gone', reason };
  if (status === 408 || status === 429 || status >= 500) return { outcome: 'retry', reason, after };
  return { outcome: 'refused', reason, counts: !excused.includes(status) };
}

/** Refuses an address in a private network. Throws all other errors, which mean `retry`. */
export function refusePrivate(error: unknown): Outcome {
  if (error instanceof PrivateAddress) return { outcome: 'refused', reason: error.message, counts: true };
  throw error;
}
