import type { CoinTick, CoinTicks } from '#contract/market/market.ts';
import type { MarketCoin, MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';

/** Takes what moved; false when it can't take anything now, and would rather be told next time. */
type Taker = (ticks: CoinTicks) => boolean;

/** One onlooker's share of the ticks. */
interface TickFeed {
  /** The coins of interest from now on; none for a rest. */
  watch(ids: readonly number[]): void;
}

interface Parts {
  market: MarketData;
  /** How often the market is looked at while somebody watches, ms. What is kept of a provider's answer is looked at, not asked for. */
  everyMs: number;
  /** Told of failures; the next look comes by itself. */
  report: (error: unknown) => void;
}

interface Moment {
  snapshot: MarketSnapshot;
  /** A coin whose figures stood still keeps its object, so that whether it moved is one comparison. */
  ticks: ReadonlyMap<number, CoinTick>;
}

export type CoinTickFeeds = ReturnType<typeof createTicks>;

/** What moves, to whom it concerns: the market is looked at once for all, and not at all while nobody watches. */
export function createTicks({ market, everyMs, report }: Parts) {
  const looks = new Set<(moment: Moment) => void>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let latest: Moment | undefined;

  async function look(): Promise<void> {
    // The next look comes soon enough; a slow provider is not asked twice.
    if (looking) return;
    looking = true;
    try {
      const snapshot = await market.snapshot();
      if (looks.size === 0) return;
      if (latest?.snapshot !== snapshot) latest = momentOf(snapshot, latest);
      for (const show of looks) show(latest);
    } catch (error) {
      report(error);
    } finally {
      looking = false;
    }
  }

  function begin(show: (moment: Moment) => void): void {
    looks.add(show);
    timer ??= setInterval(look, everyMs).unref();
    if (latest) show(latest);
    else void look();
  }

  function end(show: (moment: Moment) => void): void {
    looks.delete(show);
    if (looks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    latest = undefined;
  }

  return {
    /** A feed of the coins it is told to watch: what they are now at once, and then what changes. */
    open(take: Taker): TickFeed {
      /** What the taker was last told of each coin it watches; undefined for nothing yet. */
      let told = new Map<number, CoinTick | undefined>();

      function show({ snapshot: { source }, ticks }: Moment): void {
        const moved: CoinTick[] = [];
        for (const [id, last] of told) {
          const tick = ticks.get(id);
          if (tick && tick !== last) moved.push(tick);
        }
        if (moved.length > 0 && take({ source, coins: moved })) for (const tick of moved) told.set(tick.id, tick);
      }

      return {
        watch(ids) {
          const before = told;
          told = new Map(ids.map((id) => [id, before.get(id)]));
          if (told.size > 0) begin(show);
          else end(show);
        },
      };
    },
  };
}

const momentOf = (snapshot: MarketSnapshot, before: Moment | undefined): Moment => ({
  snapshot,
  ticks: new Map(snapshot.coins.map((coin) => [coin.id, tickOf(coin, before?.ticks.get(coin.id))])),
});

/** `before` itself where nothing of it has changed. */
function tickOf({ id, quote: { USD, BTC } }: MarketCoin, before: CoinTick | undefined): CoinTick {
  const same = before && sameFigures(before.quote.USD, USD) && sameFigures(before.quote.BTC, BTC);
  return same ? before : { id, quote: { USD: figuresOf(USD), BTC: figuresOf(BTC) } };
}

type Figures = CoinTick['quote']['USD'];

const figuresOf = ({ price, market_cap, percent_change_24h }: Figures): Figures => ({ price, market_cap, percent_change_24h });

const sameFigures = (a: Figures, b: Figures): boolean =>
  a.price === b.price && a.market_cap === b.market_cap && a.percent_change_24h === b.percent_change_24h;
