import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import { TryLater } from '../last-good.ts';

/** Pauses of a venue, ms; each doubles with every further trouble of its kind, up to the second figure. */
const PAUSES = {
  /** No answer, or one that cannot be read. */
  failed: [5 * SECOND, MINUTE],
  /** HTTP 429. */
  limit: [30 * SECOND, 15 * MINUTE],
  /** HTTP 418: the exchange bans an address that went on after 429. */
  banned: [2 * MINUTE, 60 * MINUTE],
  /** HTTP 403 or 451: the exchange refuses this address or its country. */
  refused: [10 * MINUTE, 60 * MINUTE],
} as const;
export type VenueTrouble = keyof typeof PAUSES;

/** A venue gave no good answer. */
export class VenueError extends Error {
  constructor(
    readonly trouble: VenueTrouble,
    message: string,
    /** The pause that the venue asks for, ms. */
    readonly asked?: number,
  ) {
    super(message);
  }
}

/** Decides when a venue is asked again: a circuit breaker that opens with each trouble and closes with a good answer. */
export function createRest(clock: Clock) {
  let until = Number.NEGATIVE_INFINITY;
  let troubles = 0;
  let last: VenueTrouble | undefined;

  return {
    /** Returns for how long the venue is left alone, ms. */
    left: (): number => Math.max(0, until - clock()),
    /** Throws `TryLater` while the venue is left alone. */
    demand(name: string): void {
      const left = until - clock();
      if (left > 0) throw new TryLater(`${name} was not asked: it is left alone after a failure`, left);
    },
    answered(): void {
      troubles = 0;
      last = undefined;
    },
    failed({ trouble, asked }: VenueError): void {
      troubles = trouble === last ? troubles + 1 : 0;
      last = trouble;
      const [first, longest] = PAUSES[trouble];
      const pause = Math.max(Math.min(first * 2 ** troubles, longest), asked ?? 0);
      until = Math.max(until, clock() + pause);
    },
  };
}
