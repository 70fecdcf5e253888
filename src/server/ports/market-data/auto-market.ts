import type { MarketData } from './market-data.ts';

interface Options {
  demo: MarketData;
  exchanges: MarketData;
}

/**
 * Shows the demo market until the exchanges have answered once, then the exchanges: real figures never give way to a demo. Each use looks for
 * the exchanges in the background, and they decide themselves when to try again. Every answer comes from one of the two alone.
 */
export function createAutoMarket({ demo, exchanges }: Options): MarketData {
  let isFound = false;
  let isLooking = false;

  async function look(): Promise<void> {
    isLooking = true;
    isFound = await exchanges.snapshot().then(
      () => true,
      () => false,
    );
    isLooking = false;
  }

  function current(): MarketData {
    if (!isFound && !isLooking) void look();
    return isFound ? exchanges : demo;
  }

  return {
    ...(exchanges.share && { share: exchanges.share }),
    logTo: (log) => exchanges.logTo?.(log),
    get history() {
      return current().history;
    },
    get drawn() {
      return current().drawn;
    },
    snapshot: () => current().snapshot(),
    ranking: (type) => current().ranking(type),
    details: (id) => current().details(id),
    searchMap: () => current().searchMap(),
    known: () => current().known(),
    money: () => current().money?.(),
    awaited: (id) => exchanges.known().find((coin) => coin.id === id),
    btcCandles: () => current().btcCandles(),
  };
}
