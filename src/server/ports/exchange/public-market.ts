import type { Perpetual } from '#domain/analyst/figures.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { CloseAnnouncer } from './close-announcer.ts';
import type { CandleFeed } from './exchange.ts';

/** The price of the last trade, USD, and when the exchange reported it, ms of its time. */
export interface LastPrice {
  price: number;
  at: number;
}

/** An exchange's public BTC market, which needs no key. Times in ms of the exchange. Calls reject with ExchangeError. */
export interface PublicMarket {
  readonly candles: CandleFeed & CloseAnnouncer;
  /** Returns up to when candles are final. */
  finalTo(length: number): number;
  /** Returns the candles of the mark price that opened in [from, to), oldest first, without gaps between them. */
  marks(length: number, from: number, to: number): Promise<Candle[]>;
  lastPrice(): Promise<LastPrice>;
  /** Returns funding and open interest, at most some seconds old. */
  perpetual(): Promise<Perpetual>;
  /** Reports the last price as it changes, until it is closed. Messages may be lost. */
  follow(onPrice: (last: LastPrice) => void): { close(): void };
}
