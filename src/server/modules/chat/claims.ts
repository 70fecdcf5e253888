import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '#server/db/open.ts';
import { type Claim, claimNext, type MessageRow, renewClaims } from './store.ts';

/** Lifetime of a claim without renewal, ms: how long an answer stops when its process is killed. */
const LIFETIME = 20_000;
/** Renewals in a lifetime. */
const RENEWALS = 4;
/** Renewals in a lifetime while they fail. */
const RETRIES = 20;

interface Parts {
  db: Db;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Lifetime of a claim, ms; tests shorten it. */
  lifetime?: number | undefined;
  /** Called with the question of a claim that this process has lost. */
  onLost: (row: MessageRow) => void;
}

/** Claims questions for this process, and renews all its claims together until the work on each ends. */
export function createClaims({ db, log, lifetime = LIFETIME, onLost }: Parts) {
  const held = new Set<MessageRow>();
  let timer: NodeJS.Timeout | undefined;

  async function renew(): Promise<void> {
    const claimed = [...held];
    let rate = RENEWALS;
    try {
      for (const lost of await renewClaims(db, claimed, lifetime)) {
        held.delete(lost);
        onLost(lost);
      }
    } catch (error) {
      rate = RETRIES;
      log.warn({ err: error }, 'claims of questions not renewed');
    }
    schedule(rate);
  }

  function schedule(rate: number): void {
    clearTimeout(timer);
    timer = held.size === 0 ? undefined : setTimeout(renew, lifetime / rate).unref();
  }

  return {
    /** Claims a conversation's next question, if there is one of this kind, and runs `work` on it. Returns its result. */
    async hold<T>(claim: Claim, work: (row: MessageRow) => Promise<T>): Promise<T | undefined> {
      const row = await claimNext(db, claim, lifetime);
      if (!row) return undefined;
      held.add(row);
      if (!timer) schedule(RENEWALS);
      try {
        return await work(row);
      } finally {
        held.delete(row);
      }
    },

    /** Renews at once, if this process holds the question, to find out whether the claim is lost. */
    check(id: string): void {
      if ([...held].some((row) => row.id === id)) void renew();
    },
  };
}
