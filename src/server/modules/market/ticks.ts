import type { CoinTick, CoinTicks } from '#contract/market/coin-ticks.ts';
import type { MarketCoin, MarketData, MarketSnapshot } from '#server/ports/market-data/market-data.ts';

/** Receives changed prices. Returns false when it cannot take them now; they are sent again with the next update. */
type Taker = (ticks: CoinTicks) => boolean;

/** One subscriber's feed. */
interface TickFeed {
  /** Replaces the watched coins; an empty list pauses the feed. */
  watch(ids: readonly number[]): void;
}

interface Parts {
  market: MarketData;
  /** Update interval while there are subscribers, ms. Reads the cached snapshot where the provider has one. */
  everyMs: number;
  /** Called with errors; the next interval retries. */
  report: (error: unknown) => void;
}

interface Moment {
  snapshot: MarketSnapshot;
  /** An unchanged coin keeps its object, so that a comparison detects changes. */
  ticks: ReadonlyMap<number, CoinTick>;
}

type Show = (moment: Moment) => void;

/** Subscribers that are served before the process does other work. 10,000 at once would hold it up for more than a second. */
const AT_ONCE = 100;

export type CoinTickFeeds = ReturnType<typeof createTicks>;

/** Sends price changes to subscribers. Reads the market once for all of them, and not at all without subscribers. */
export function createTicks({ market, everyMs, report }: Parts) {
  const subscribers = new Set<Show>();
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;
  let latest: Moment | undefined;
  const portions = servePortions((show) => latest && show(latest), report);

  async function poll(): Promise<void> {
    // Never ask a slow provider twice at once.
    if (isPolling) return;
    isPolling = true;
    try {
      const snapshot = await market.snapshot();
      if (subscribers.size === 0) return;
      if (latest?.snapshot !== snapshot) latest = momentOf(snapshot, latest);
      portions.serve(subscribers);
    } catch (error) {
      report(error);
    } finally {
      isPolling = false;
    }
  }

  function begin(show: Show): void {
    subscribers.add(show);
    timer ??= setInterval(poll, everyMs).unref();
    if (latest) show(latest);
    else void poll();
  }

  function end(show: Show): void {
    subscribers.delete(show);
    portions.leave(show);
    if (subscribers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    latest = undefined;
  }

  return {
    /** Opens a feed: first the current prices of the watched coins, then changes. */
    open(take: Taker): TickFeed {
      /** The last tick sent of each watched coin. */
      let sent = new Map<number, CoinTick | undefined>();

      function show({ snapshot: { source }, ticks }: Moment): void {
        const moved: CoinTick[] = [];
        for (const [id, last] of sent) {
          const tick = ticks.get(id);
          if (tick && tick !== last) moved.push(tick);
        }
        if (moved.length > 0 && take({ source, coins: moved })) for (const tick of moved) sent.set(tick.id, tick);
      }

      return {
        watch(ids) {
          const before = sent;
          sent = new Map(ids.map((id) => [id, before.get(id)]));
          if (sent.size > 0) begin(show);
          else end(show);
        },
      };
    },
  };
}

/** Serves subscribers in portions, between which the process does other work. */
function servePortions(serveOne: (show: Show) => void, report: (error: unknown) => void) {
  /** The one that has waited longest first. */
  const due = new Set<Show>();
  let isServing = false;

  async function serveDue(): Promise<void> {
    isServing = true;
    let served = 0;
    for (const show of due) {
      due.delete(show);
      try {
        serveOne(show);
      } catch (error) {
        report(error);
      }
      if (++served % AT_ONCE === 0 && due.size > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    isServing = false;
  }

  return {
    /** One that still waits keeps its place and is served once. */
    serve(all: Iterable<Show>): void {
      for (const show of all) due.add(show);
      if (!isServing) void serveDue();
    },
    leave: (show: Show): boolean => due.delete(show),
  };
}

const momentOf = (snapshot: MarketSnapshot, before: Moment | undefined): Moment => ({
  snapshot,
  ticks: new Map(snapshot.coins.map((coin) => [coin.id, tickOf(coin, before?.ticks.get(coin.id))])),
});

/** Returns `before` itself when nothing changed. */
function tickOf({ id, quote: { USD, BTC } }: MarketCoin, before: CoinTick | undefined): CoinTick {
  const same = before && sameFigures(before.quote.USD, USD) && sameFigures(before.quote.BTC, BTC);
  return same ? before : { id, quote: { USD: figuresOf(USD), BTC: figuresOf(BTC) } };
}

type Figures = CoinTick['quote']['USD'];

const figuresOf = ({ price, market_cap, percent_change_24h }: Figures): Figures => ({ price, market_cap, percent_change_24h });

const sameFigures = (a: Figures, b: Figures): boolean =>
  a.price === b.price && a.market_cap === b.market_cap && a.percent_change_24h === b.percent_change_24h;
