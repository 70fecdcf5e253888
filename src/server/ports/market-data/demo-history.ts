import type { DailyCandle } from '#contract/market/chart-candles.ts';
import { DAY } from '#domain/clock.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import { createRecentMap } from '#server/recent-map.ts';
import type { BundledCoin } from './bundled.ts';
import type { FeedHistory } from './demo-feed-history.ts';
import type { CoinWalk } from './demo-walk.ts';
import { CANDLE_MS, type CandleInterval, type CoinSeries, type DrawnHistory, type MarketSnapshot } from './market-data.ts';
import { memo } from './memo.ts';
import { withPrice } from './with-price.ts';

/** Candles of a history: two weeks of hours, a year of days. */
const SHOWN: Record<CandleInterval, number> = { '1h': 14 * 24, '1d': 365 };
/** Prices that a candle is drawn from. */
const SAMPLES: Record<CandleInterval, number> = { '1h': 4, '1d': 6 };
/** Histories in memory: both of all coins. */
const MAX_KEPT = 500;

/** What the demo market shows. */
interface Shown {
  snapshot: MarketSnapshot;
  /** ms UTC. */
  tick: number;
  walkOf: (coin: BundledCoin) => CoinWalk;
}

interface Parts {
  current: () => Promise<Shown>;
  coins: readonly BundledCoin[];
  /** Bitcoin's history while it follows a feed. */
  btc?: FeedHistory;
}

/** Draws histories from the walks that the current figures come from. A tick and a seed give the same candles in every process. */
export function createDemoHistory({ current, coins, btc }: Parts): DrawnHistory {
  const facts = new Map(coins.map((coin) => [coin.id, coin]));
  const closed = createRecentMap<string, DailyCandle[]>(MAX_KEPT);
  /** Series that a snapshot's readers share. */
  const seriesAt = memo((_snapshot: MarketSnapshot) => new Map<string, Promise<CoinSeries | undefined>>());

  /** Draws the closed candles of a history once per candle. */
  function closedCandles(coin: BundledCoin, interval: CandleInterval, { tick, walkOf }: Shown): DailyCandle[] {
    const length = CANDLE_MS[interval];
    const open = Math.floor(tick / length) * length;
    const key = `${coin.id} ${interval} ${open}`;
    const walk = walkOf(coin);
    const begin = Math.max(open - (SHOWN[interval] - 1) * length, Math.ceil(walk.since / length) * length);
    const drawn =
      closed.get(key) ??
      Array.from({ length: Math.max(0, (open - begin) / length) }, (_, at) =>
        drawCandle(walk, begin + at * length, { length, samples: SAMPLES[interval] }),
      );
    closed.set(key, drawn);
    return drawn;
  }

  async function seriesOf(coin: BundledCoin, interval: CandleInterval, shown: Shown): Promise<CoinSeries | undefined> {
    const { snapshot, tick, walkOf } = shown;
    const price = snapshot.coins.find(({ id }) => id === coin.id)?.quote.USD.price;
    if (price == null) return undefined;
    const length = CANDLE_MS[interval];
    const facts = { interval: length, asOf: snapshot.source.asOf };
    const real = coin.id === BITCOIN ? await btc?.candles(interval, { tick, price }) : undefined;
    if (real) return { ...facts, ...real };
    const open = Math.floor(tick / length) * length;
    const last = withPrice(drawCandle(walkOf(coin), open, { length, samples: SAMPLES[interval], until: tick }), price);
    return { ...facts, source: snapshot.source.name, demo: true, candles: [...closedCandles(coin, interval, shown), last] };
  }

  return {
    async candles(id, interval) {
      const shown = await current();
      const coin = facts.get(id);
      if (!coin) return undefined;
      const all = seriesAt(shown.snapshot);
      const key = `${id} ${interval}`;
      const series = all.get(key) ?? seriesOf(coin, interval, shown);
      all.set(key, series);
      return series;
    },

    async prices(ids, ages) {
      const { tick, walkOf } = await current();
      const oldest = tick - Math.max(...ages);
      return new Map(
        ids.flatMap((id) => {
          const coin = facts.get(id);
          if (!coin) return [];
          const real = id === BITCOIN ? btc?.prices(ages, tick) : undefined;
          if (real) return [[id, real] as const];
          const walk = walkOf(coin);
          return walk.since > oldest ? [] : [[id, ages.map((age) => walk.price(tick - age))] as const];
        }),
      );
    },
  };
}

/** Draws the candle that opens at `time`, up to its end or to `until`. */
function drawCandle(
  walk: CoinWalk,
  time: number,
  { length, samples, until = time + length }: { length: number; samples: number; until?: number },
): DailyCandle {
  const step = length / samples;
  const inside = Array.from({ length: samples - 1 }, (_, at) => time + (at + 1) * step).filter((at) => at < until);
  const prices = [time, ...inside, until].map((at) => Number(walk.price(at).toPrecision(10)));
  const [open = 0] = prices;
  const close = prices.at(-1) ?? open;
  const volume = ((walk.volume(until) / close) * (until - time)) / DAY;
  return { time, open, high: Math.max(...prices), low: Math.min(...prices), close, volume: Number(volume.toPrecision(6)) };
}
