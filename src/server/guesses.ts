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
  network: (kind: GuessKind, network: string) => day(`wrong ${kind} ${network}`),
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
  /** One audit line a day for each budget that is spent. */
  const noteSpent = (kind: GuessKind, about: string, network?: string) =>
    audit.note(kind === 'password' ? 'password-budget-spent' : 'code-budget-spent', { network, about: `${kind}, ${about}` });

  /** One line in the log when half and all of the service's budget is used, whichever process counts it. */
  async function warn(kind: GuessKind, used: number): Promise<void> {
    const { service } = GUESS_LIMITS[kind];
    const percent = used === service ? 100 : used === Math.ceil(service / 2) ? 50 : null;
    // A right guess is taken back, so the count can pass the same figure twice.
    if (percent === null || !(await budgets.take(`warned ${kind} ${percent}`, { max: 1, span: DAY }))) return;
    if (percent === 100) noteSpent(kind, 'service');
    log.warn({ guesses: kind, used, budget: service, percent }, `${percent}% of today's budget of wrong guesses is used`);
  }

  /**
   * Whether the network and its neighbourhood have guesses left; counts one. A refused guess counts for the network alone, so
   * that it cannot spend its neighbours' guesses, and for nothing where the neighbourhood's are spent: no row for each /64.
   */
  async function countNetwork(kind: GuessKind, { narrow, wide }: Networks): Promise<false | { narrow: number; wide: number }> {
    const limits = GUESS_LIMITS[kind];
    const [one, all] = [guessUses.network(kind, narrow), guessUses.network(kind, wide)];
    if ((await budgets.used(all.key, all.span)) >= limits.wide) return false;
    const [ofOne = 0] = await budgets.count([one]);
    if (ofOne === limits.narrow + 1) noteSpent(kind, 'network', wide);
    if (ofOne > limits.narrow) return false;
    // Text that is no address has the same network twice.
    const [ofAll = 0] = narrow === wide ? [ofOne] : await budgets.count([all]);
    if (ofAll === limits.wide) noteSpent(kind, 'neighbourhood', wide);
    return ofAll <= limits.wide && { narrow: ofOne, wide: ofAll };
  }

  return {
    async begin(kind, from) {
      const { service, spare } = GUESS_LIMITS[kind];
      const counted = await countNetwork(kind, from);
      if (!counted) return false;
      const [used = 0] = await budgets.count(guessUses.service(kind));
      await warn(kind, used);
      const isSpare = counted.narrow <= spare.narrow && counted.wide <= spare.wide;
      if (used <= service || (isSpare && used <= 2 * service)) return true;
      // Refused guesses do not count for the service: the networks that spent the first stage could spend the second otherwise.
      await budgets.giveBack(guessUses.service(kind));
      return false;
    },

    async wasRight(kind, { narrow, wide }) {
      const networks = [...new Set([narrow, wide])].map((network) => guessUses.network(kind, network));
      await budgets.giveBack([...networks, ...guessUses.service(kind)]);
    },
  };
}
