import type { FastifyBaseLogger } from 'fastify';
import { DAY, HOUR } from '../domain/clock';
import type { Audit } from './audit';
import type { Budgets, Use } from './budgets';
import type { Networks } from './http/network';

/** What is guessed at. docs/decisions.md (Session and codes) derives the figures below. */
export type GuessKind = 'password' | 'reset-code' | 'verify-code';

interface Limits {
  /** Wrong guesses of a UTC day from one network, and from its neighbourhood. */
  narrow: number;
  wide: number;
  /** Wrong guesses of a UTC day from everywhere that end the first stage. The second one ends at twice as many. */
  service: number;
  /** In the second stage, what a network and its neighbourhood may have guessed wrong and still go on. */
  spare: { narrow: number; wide: number };
}

export const GUESS_LIMITS: Record<GuessKind, Limits> = {
  password: { narrow: 100, wide: 500, service: 5_000, spare: { narrow: 3, wide: 15 } },
  'reset-code': { narrow: 30, wide: 150, service: 500, spare: { narrow: 1, wide: 5 } },
  'verify-code': { narrow: 30, wide: 150, service: 2_000, spare: { narrow: 1, wide: 5 } },
};
export const GUESS_KINDS = Object.keys(GUESS_LIMITS) as GuessKind[];

const day = (key: string): Use => ({ key, span: DAY });
/** The budgets that count a guess. */
export const guessUses = {
  // Text that is no address has the same network twice.
  network: (kind: GuessKind, { narrow, wide }: Networks) => [...new Set([narrow, wide])].map((network) => day(`wrong ${kind} ${network}`)),
  service: (kind: GuessKind) => [day(`wrong ${kind}, service`), { key: `wrong ${kind}, service, hour`, span: HOUR }] as const,
};

/** Budgets of wrong codes and wrong passwords: by network and for the whole service, shared by all processes. */
export interface Guesses {
  /**
   * Counts a guess as wrong before it is checked, so that guesses at once cannot pass together. False when no budget
   * covers it: the guess must not be checked then. Call it outside of transactions.
   */
  begin(kind: GuessKind, from: Networks): Promise<boolean>;
  /** Takes the count back: the guess was right. */
  wasRight(kind: GuessKind, from: Networks): Promise<void>;
}

export function createGuesses(options: { budgets: Budgets; audit: Audit; log: Pick<FastifyBaseLogger, 'warn'> }): Guesses {
  const { budgets, audit, log } = options;
  /** One audit line for the first refusal of a network, or of the service, in a day. */
  const noteSpent = (kind: GuessKind, network: string, about: string) =>
    audit.note(kind === 'password' ? 'password-budget-spent' : 'code-budget-spent', { network, about: `${kind}, ${about}` });

  /** One line in the log when half and all of the service's budget is used, whichever process counts it. */
  async function warn(kind: GuessKind, used: number): Promise<void> {
    const { service } = GUESS_LIMITS[kind];
    const percent = used === service ? 100 : used === Math.ceil(service / 2) ? 50 : null;
    // A right guess is taken back, so the count can pass the same figure twice.
    if (percent === null || !(await budgets.take(`warned ${kind} ${percent}`, { max: 1, span: DAY }))) return;
    log.warn({ guesses: kind, used, budget: service, percent }, `${percent}% of today's budget of wrong guesses is used`);
  }

  return {
    async begin(kind, from) {
      const limits = GUESS_LIMITS[kind];
      const [narrow = 0, wide = narrow] = await budgets.count(guessUses.network(kind, from));
      if (narrow > limits.narrow || wide > limits.wide) {
        if (narrow === limits.narrow + 1 || wide === limits.wide + 1) noteSpent(kind, from.wide, 'network');
        return false;
      }
      const [used = 0] = await budgets.count(guessUses.service(kind));
      await warn(kind, used);
      const isSpare = narrow <= limits.spare.narrow && wide <= limits.spare.wide;
      if (used <= limits.service || (isSpare && used <= 2 * limits.service)) return true;
      // Refused guesses do not count for the service: blocked networks could spend the second stage otherwise.
      await budgets.giveBack(guessUses.service(kind));
      noteSpent(kind, from.wide, 'service');
      return false;
    },

    wasRight: (kind, from) => budgets.giveBack([...guessUses.network(kind, from), ...guessUses.service(kind)]),
  };
}
