import type { CryptoItem } from '#contract/market/market.ts';
import type { MarketCoin, MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';
import { memo } from '#server/ports/market-data/memo.ts';
import { linesOf } from './lines.ts';

/** Returns a function that returns a coin's fields for a list, with its 7-day line. */
export type ItemsOf = (snapshot: MarketSnapshot) => Promise<(coin: MarketCoin) => CryptoItem>;

/** Works out the lines once per snapshot. */
export const createItems = (market: MarketData): ItemsOf =>
  memo(async (snapshot) => {
    const lines = await linesOf(market, snapshot);
    return ({ id, symbol, name, rank, quote }: MarketCoin) => ({ id, symbol, name, rank, quote, line_7d: lines.get(id) ?? null });
  });
