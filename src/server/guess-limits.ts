import type { FastifyBaseLogger } from 'fastify';
import { DAY, HOUR } from '../domain/clock.ts';
import type { Audit } from './audit.ts';
import type { Budgets, Use } from './budgets.ts';
import type { Networks } from './http/network.ts';

/** What attackers guess. docs/decisions.md (Codes and guessing) explains the limits. */
export type GuessKind = 'password' | 'reset-code' | 'verify-code';

interface Limits {
  /** Wrong guesses a UTC day from one network, and from its neighborhood. */
  narrow: number;
  wide: number;
  /** Wrong guesses a UTC day from all networks that end the first stage. The second stage ends at twice as many. */
  service: number;
  /** In the second stage, wrong guesses that a network and its neighborhood may still have. */
  spare: { narrow: number; wide: number };
}

export const GUESS_LIMITS: Record<GuessKind, Limits> = {
  password: { narrow: 100, wide: 500, service: 5_000, spare: { narrow: 3, wide: 15 } },
  'reset-code': { narrow: 30, wide: 150, service: 500, spare: { narrow: 1, wide: 5 } },
  'verify-code': { narrow: 30, wide: 150, service: 2_000, spare: { narrow: 1, wide: 5 } },
};
export const GUESS_KINDS = Object.keys(GUESS_LIMITS) as GuessKind[];

const day = (key: string): Use => ({ key, span: DAY });
/** The budget keys that count a guess. */
export const guessUses = {
  network: (kind: GuessKind, network: string) => day(`wrong ${kind} ${network}`),
  service: (kind: GuessKind) => [day(`wrong ${kind}, service`), { key: `wrong ${kind}, service, hour`, span: HOUR }] as const,
};

/** Limits wrong codes and passwords by network and for the whole service, across all processes. */
export interface Guesses {
  /** Counts a guess as wrong before it is checked, so that parallel guesses cannot pass. Returns false when the guess must be refused. */
  begin(kind: GuessKind, from: Networks): Promise<boolean>;
  /** Takes the count back after a right guess. */
  wasRight(kind: GuessKind, from: Networks): Promise<void>;
}

export function createGuesses(options: { budgets: Budgets; audit: Audit; log: Pick<FastifyBaseLogger, 'warn'> }): Guesses {
  const { budgets, audit, log } = options;
  /** Writes one audit line a day for each spent budget. */
  const noteSpent = (kind: GuessKind, about: string, network?: string) =>
    audit.note(kind === 'password' ? 'password-budget-spent' : 'code-budget-spent', { network, about: `${kind}, ${about}` });

  /** Logs when 50% and 100% of the service's budget is used, once a day over all processes. */
  async function warn(kind: GuessKind, used: number): Promise<void> {
    const { service } = GUESS_LIMITS[kind];
    const percent = used === service ? 100 : used === Math.ceil(service / 2) ? 50 : null;
    // Right guesses are taken back, so the count can reach the same value twice.
    if (percent === null || !(await budgets.take(`warned ${kind} ${percent}`, { max: 1, span: DAY }))) return;
    if (percent === 100) noteSpent(kind, 'service');
    log.warn({ guesses: kind, used, budget: service, percent }, `${percent}% of today's budget of wrong guesses is used`);
  }

  /** Counts a guess in each budget that covers it. A refused guess counts for its own network alone, and not at all once the neighborhood's */
  /** budget is spent: otherwise an attacker could create a row for each of 65,536 networks. */
  const count = (kind: GuessKind, { narrow, wide }: Networks) =>
    budgets.together(async (counters): Promise<{ narrow: number; wide: number; service: number; isCovered: boolean }> => {
      const limits = GUESS_LIMITS[kind];
      const [one, all] = [guessUses.network(kind, narrow), guessUses.network(kind, wide)];
      const refused = { wide: 0, service: 0, isCovered: false };
      if ((await counters.used(all.key, all.span)) >= limits.wide) return { ...refused, narrow: 0 };
      const [ofOne = 0] = await counters.count([one]);
      if (ofOne > limits.narrow) return { ...refused, narrow: ofOne };
      // Invalid addresses have the same network twice.
      const [ofAll = 0] = narrow === wide ? [ofOne] : await counters.count([all]);
      if (ofAll > limits.wide) return { ...refused, narrow: ofOne, wide: ofAll };
      const [service = 0] = await counters.count(guessUses.service(kind));
      const isSpare = ofOne <= limits.spare.narrow && ofAll <= limits.spare.wide;
      const isCovered = service <= limits.service || (isSpare && service <= 2 * limits.service);
      if (!isCovered) await counters.giveBack(guessUses.service(kind));
      return { narrow: ofOne, wide: ofAll, service, isCovered };
    });

  return {
    async begin(kind, from) {
      const limits = GUESS_LIMITS[kind];
      const { narrow, wide, service, isCovered } = await count(kind, from);
      if (narrow === limits.narrow + 1) noteSpent(kind, 'network', from.wide);
      if (wide === limits.wide) noteSpent(kind, 'neighborhood', from.wide);
      await warn(kind, service);
      return isCovered;
    },

    async wasRight(kind, { narrow, wide }) {
      const networks = [...new Set([narrow, wide])].map((network) => guessUses.network(kind, network));
      await budgets.giveBack([...networks, ...guessUses.service(kind)]);
    },
  };
}
