import type { Quote } from '#contract/market/market.ts';
import type { Clock } from '#domain/clock.ts';
import { DAY } from '#domain/clock.ts';
import { BITCOIN, type CoinName } from '#domain/market/coin.ts';
import { mixSeed } from './bridge.ts';
import { type BundledCoin, readBundledMarket } from './bundled.ts';
import { type BtcFeed, createBtcHistory, fixedWalk, pricesByAge } from './demo-btc.ts';
import { createFeedHistory } from './demo-feed-history.ts';
import { createDemoHistory } from './demo-history.ts';
import { type CoinWalk, PERIOD_MS, walkFrom, weekStart } from './demo-walk.ts';
import { changes, inBitcoin, percent, rounded } from './in-bitcoin.ts';
import type { MarketCoin, MarketData, MarketSnapshot } from './market-data.ts';
import { memo } from './memo.ts';
import { nothingToShow } from './nothing-to-show.ts';
import type { SharedTicks } from './shared/shared-ticks.ts';

const NO_LINKS = { website: null, technicalDoc: null, reddit: null, sourceCode: null, explorer: null };

interface DemoOptions {
  clock: Clock;
  /** Seed of the demo market's random walk (MARKET_SEED). */
  seed: string | number;
  /** How long figures stay the same, ms (MARKET_TICK_MS). */
  tickMs: number;
  /** The bots' BTC feed; without it BTC follows the random walk. */
  btc?: BtcFeed;
  /** Ticks of all processes on one database; without them, this process is alone. */
  ticks?: SharedTicks;
}

/** Ages of the prices that a tick's figures compare, ms. */
const AGES = [0, ...Object.values(PERIOD_MS)];
const NO_PRICES: ReadonlyMap<number, number> = new Map();

/**
 * Simulates the market: a bundled real snapshot moved by a seeded random walk, with BTC from the bots' feed. A tick and a
 * seed give the same figures in every process.
 */
export function createDemoMarket({ clock, seed, tickMs, btc, ticks }: DemoOptions): MarketData {
  const { name, takenAt, tagNames, coins } = readBundledMarket();
  const seedNumber = [...String(seed)].reduce((hash, character) => mixSeed(hash, character.codePointAt(0) ?? 0), 0);
  const facts = new Map(coins.map((coin) => [coin.id, coin]));
  const names = coins.map((coin, index): CoinName => ({ id: coin.id, name: coin.name, symbol: coin.symbol, rank: index + 1 }));
  const btcCandles = createBtcHistory(btc);
  let latest: MarketSnapshot | undefined;
  let latestTick = Number.NaN;
  let walkOf: (coin: BundledCoin) => CoinWalk;

  const pricesAt = (at: { tick: number; now: number }): ReadonlyMap<number, number> => (btc ? pricesByAge(btc, AGES, at) : NO_PRICES);

  function show(tick: number, prices: () => ReadonlyMap<number, number>): MarketSnapshot {
    if (!latest || tick !== latestTick) {
      const start = weekStart(tick);
      const bitcoin = prices();
      walkOf = memo((coin) => {
        const own = walkFrom(coin, start, { seed: seedNumber, takenAt: Date.parse(takenAt) });
        return coin.id === BITCOIN ? fixedWalk(tick, bitcoin, own) : own;
      });
      latest = { source: { name, demo: true, asOf: new Date(tick).toISOString() }, coins: moved(coins, walkOf, tick, tagNames) };
      latestTick = tick;
    }
    return latest;
  }

  async function alone(): Promise<MarketSnapshot> {
    const now = clock();
    const tick = Math.floor(now / tickMs) * tickMs;
    return show(tick, () => pricesAt({ tick, now }));
  }

  const current = ticks ? followTicks({ ticks, pricesAt, show, last: () => latest }) : alone;

  return {
    snapshot: current,
    // A snapshot has no visits or upcoming coins, so callers rank by its figures.
    ranking: async () => undefined,
    async details(id) {
      const { coins: now, source } = await current();
      const coin = now.find((candidate) => candidate.id === id);
      return coin && { coin, links: { ...NO_LINKS, ...facts.get(id)?.links }, source };
    },
    searchMap: async () => (await current()).coins,
    known: () => latest?.coins ?? names,
    btcCandles,
    drawn: createDemoHistory({
      current: async () => ({ snapshot: await current(), tick: latestTick, walkOf }),
      coins,
      ...(btc && { btc: createFeedHistory(btc, clock) }),
    }),
  };
}

interface Follower {
  ticks: SharedTicks;
  pricesAt: Parameters<SharedTicks['current']>[0];
  show: (tick: number, prices: () => ReadonlyMap<number, number>) => MarketSnapshot;
  /** Returns the snapshot that was shown last. */
  last: () => MarketSnapshot | undefined;
}

/** Returns a function that shows the current tick of all processes. While the database is away, it shows the last one, marked stale. */
function followTicks({ ticks, pricesAt, show, last }: Follower): () => Promise<MarketSnapshot> {
  let goodUntil = Number.NEGATIVE_INFINITY;
  let flight: Promise<MarketSnapshot> | undefined;
  const aged = memo(({ source, coins }: MarketSnapshot): MarketSnapshot => ({ source: { ...source, stale: true }, coins }));

  async function renew(): Promise<MarketSnapshot> {
    try {
      const began = performance.now();
      const { tick, prices, left } = await ticks.current(pricesAt);
      goodUntil = began + left;
      return show(tick, () => prices);
    } catch {
      const kept = last();
      if (kept) return aged(kept);
      throw nothingToShow();
    } finally {
      flight = undefined;
    }
  }

  return async () => {
    const kept = last();
    if (kept && performance.now() < goodUntil) return kept;
    flight ??= renew();
    return flight;
  };
}

function moved(
  coins: readonly BundledCoin[],
  walk: (coin: BundledCoin) => CoinWalk,
  time: number,
  tagNames: Record<string, string>,
): MarketCoin[] {
  const dollars = coins.map((coin) => ({ coin, usd: usdQuote(coin, walk(coin), time) }));
  const bitcoin = dollars.find(({ coin }) => coin.id === BITCOIN)?.usd;
  if (!bitcoin) throw new Error('The bundled snapshot has no Bitcoin to quote others in.');
  return dollars
    .sort((a, b) => b.usd.market_cap - a.usd.market_cap)
    .map(({ coin, usd }, index) => ({
      id: coin.id,
      name: coin.name,
      symbol: coin.symbol,
      rank: index + 1,
      dateAdded: coin.dateAdded,
      circulatingSupply: coin.circulatingSupply,
      totalSupply: coin.totalSupply,
      maxSupply: coin.maxSupply,
      tags: coin.tags.map((slug) => ({ slug, name: tagNames[slug] ?? slug })),
      quote: { USD: usd, BTC: inBitcoin(usd, bitcoin) },
    }));
}

/** A quote with every figure present. */
type Figures = { [Field in keyof Quote]: number };

function usdQuote(coin: BundledCoin, walk: CoinWalk, time: number): Figures {
  const price = walk.price(time);
  const volume = walk.volume(time);
  return rounded({
    price,
    market_cap: price * coin.circulatingSupply,
    volume_24h: volume,
    volume_change_24h: percent(volume / walk.volume(time - DAY)),
    fully_diluted_market_cap: price * (coin.fullyDilutedMarketCap / coin.price),
    ...changes((period) => percent(price / walk.price(time - PERIOD_MS[period]))),
  });
}
