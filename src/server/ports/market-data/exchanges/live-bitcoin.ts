import type { BtcFeed } from '../demo-btc.ts';
import type { StoredFigures } from './stored-figures.ts';

/**
 * Gives Bitcoin the price of the bots' feed where that is a live one, so that the market and bots on paper show one price. A replay
 * shows the past, and leaves the exchanges' price.
 */
export function followFeed(figures: StoredFigures, feed: BtcFeed | undefined, bitcoin: number): StoredFigures {
  const price = feed?.live ? livePrice(feed) : undefined;
  if (!feed || price === undefined) return figures;
  const coins = figures.coins.map(([id, coin]): StoredFigures['coins'][number] => {
    if (id !== bitcoin) return [id, coin];
    const source = { name: feed.source, price, asOf: new Date(feed.now()).toISOString() };
    return [id, { ...coin, price, change: changed(coin.change, price / coin.price), sources: [source, ...coin.sources] }];
  });
  return { ...figures, coins };
}

/** The feed may have no price yet, or an old one. */
function livePrice(feed: BtcFeed): number | undefined {
  if (feed.live?.().staleSince != null) return undefined;
  try {
    return feed.priceAt(feed.now());
  } catch {
    return undefined;
  }
}

const changed = (change: number | null, ratio: number): number | null => (change === null ? null : (1 + change / 100) * ratio * 100 - 100);
