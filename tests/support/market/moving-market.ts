import type { Quote } from '#contract/market/market.ts';
import { HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import type { KeptCandles } from '#server/ports/market-data/coin-candles.ts';
import type { MarketData } from '#server/ports/market-data/market-data.ts';
import { coinWith, stillMarket } from './market.ts';

/** A coin as the market shows it. */
type Figures = Pick<Quote, 'price'> & Partial<Quote>;

export interface MovingMarket extends MarketData {
  /** Shows these figures (USD) of coins from the next update on. Others stay. */
  move(figures: Record<number, number | Figures>): void;
  /** Sets the hourly candles of a coin, each as [open, high, low, close]; the last one is the current hour's. */
  remember(id: number, hours: readonly (readonly [number, number, number, number])[]): void;
  /** From now on histories cannot be read, or can again. */
  loseHistory(isLost: boolean): void;
}

/** Creates a market whose prices a test moves. Coins are named "Coin 1" with the symbol "C1". */
export function movingMarket(clock: () => number = Date.now): MovingMarket {
  const shown = new Map<number, Figures>();
  const hours = new Map<number, KeptCandles>();
  let isLost = false;
  const coins = () => [...shown].map(([id, usd]) => coinWith({ id, name: `Coin ${id}`, symbol: `C${id}`, rank: id, usd: { ...usd } }));
  const read = async (id: number) => {
    if (isLost) throw new Error('the exchange is down');
    return hours.get(id);
  };
  return {
    ...stillMarket(),
    drawn: undefined,
    history: { hours: read, days: read, prices: async () => new Map() },
    snapshot: async () => ({ source: { name: 'A moving market', demo: false, asOf: new Date(clock()).toISOString() }, coins: coins() }),
    known: coins,
    searchMap: async () => coins(),
    details: async () => undefined,
    move(figures) {
      for (const [id, figure] of Object.entries(figures))
        shown.set(Number(id), typeof figure === 'number' ? { ...shown.get(Number(id)), price: figure } : figure);
    },
    remember(id, list) {
      const current = Math.floor(clock() / HOUR) * HOUR;
      const candles = list.map(([open, high, low, close], at): Candle => {
        return { time: current - (list.length - 1 - at) * HOUR, open, high, low, close, volume: 0 };
      });
      hours.set(id, { source: 'An exchange', candles, asOf: clock(), stale: false });
    },
    loseHistory(lost) {
      isLost = lost;
    },
  };
}
