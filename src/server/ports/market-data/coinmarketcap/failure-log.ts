import type { MarketLog } from '../market-data.ts';
import type { Rows } from '../read-rows.ts';
import { CreditsSpent } from './credits.ts';

export interface FailureLog {
  logTo(log: MarketLog): void;
  /** Returns a function that logs failures of one kind of request. */
  logFailure(what: string): (error: unknown, instead: object | undefined) => void;
  /** Returns the rows and logs the unreadable ones. Throws when no row is readable. */
  readable<T>(what: string, rows: Rows<T>): readonly T[];
}

export function createFailureLog(): FailureLog {
  let log: MarketLog | undefined;

  return {
    logTo(to) {
      log = to;
    },
    logFailure: (what) => (error, instead) => {
      // Credits log one line per day by themselves.
      if (error instanceof CreditsSpent) return;
      const why = error instanceof Error ? error.message : 'unknown';
      log?.warn({ what, why, shown: instead ? 'the last good answer' : 'nothing' }, 'CoinMarketCap failed');
    },
    readable(what, { rows, dropped, why }) {
      if (dropped > 0) log?.warn({ what, dropped, why }, 'CoinMarketCap sent entries that could not be read');
      if (rows.length === 0) throw new Error(`${what} came empty`);
      return rows;
    },
  };
}
