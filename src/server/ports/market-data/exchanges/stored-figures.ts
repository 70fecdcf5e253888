import type { PriceSource } from '../market-data.ts';
import type { CoinFigures } from './prices.ts';

/** A coin's figures, as JSON. */
export interface StoredCoin extends Omit<CoinFigures, 'sources'> {
  sources: readonly PriceSource[];
}

/** The figures of all coins at one moment, as JSON. */
export interface StoredFigures {
  /** When the last exchange answered, ms UTC. */
  asOf: number;
  /** Names of the exchanges. */
  venues: readonly string[];
  /** Quote currencies that count as a dollar. */
  atPar: readonly string[];
  /** Money for dollars, and the names of the exchanges that trade it. Absent in figures of an older server. */
  money?: { rates: readonly (readonly [currency: string, rate: number])[]; venues: readonly string[] };
  coins: readonly (readonly [id: number, coin: StoredCoin])[];
}
