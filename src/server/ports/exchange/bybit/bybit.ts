import type { Clock } from '../../../../domain/clock';
import { type Exchange, ExchangeError, type Keys } from '../exchange';

export interface BybitOptions {
  /** Bybit's test network: no real money. */
  testnet: boolean;
  /** Takes the place of every host of Bybit's; no slash at the end. */
  baseUrl?: string;
  /** How it is told who registered through us; at least one of the two. */
  referral: { code?: string; affiliate?: Keys };
  clock: Clock;
  /** Length of the feed's candles, ms; one that Bybit has. */
  interval: number;
  /** Told of what goes wrong where nobody waits for an answer. */
  report: (error: unknown) => void;
  /** How long an answer may take, and how long a rate limit is waited for, ms. */
  patience?: { answer: number; limit: number };
}

/** Bybit's USDT perpetual on BTC, by its version 5 interface. Asks nothing before it is asked. */
export async function createBybit(_options: BybitOptions): Promise<Exchange> {
  throw new ExchangeError('unavailable', 'Bybit can not be reached yet.');
}
