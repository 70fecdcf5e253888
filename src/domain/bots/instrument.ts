import type { LivePrices, ReplaySpan } from '#contract/bots/paper-prices.ts';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Returns the name of what a bot trades. A replayed history has its own prices and dates, so it is not called BTC. */
export const instrumentName = ({ speed }: { speed: number | null }): string => (speed === null ? 'BTC' : 'BTC replay');

/** Names the time of an instrument's candles. A replay's time runs at its own speed, so it may be in the future. */
export const clockName = ({ speed }: { speed: number | null }): string => (speed === null ? 'UTC' : 'replay time');

const minute = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

interface Market {
  speed: number | null;
  replay?: (ReplaySpan & { at?: string }) | null | undefined;
  live?: LivePrices | null | undefined;
}

/** Explains where the prices of paper money come from; undefined for a real exchange. */
export function pricesNote({ speed, replay, live }: Market): string | undefined {
  if (live) return `Paper money follows live prices: ${live.source}.`;
  if (!replay || speed === null) return undefined;
  const dates = day.formatRange(Date.parse(replay.from), Date.parse(replay.to));
  const pace = speed === 1 ? '' : `, ${speed.toLocaleString('en-US')} times as fast`;
  const position = replay.at === undefined ? '' : ` It is at ${day.format(Date.parse(replay.at))}.`;
  return `BTC replay repeats the real prices of ${dates}${pace}, forward and backward.${position}`;
}

/** Warns of live prices that have stopped; undefined while they arrive. */
export const stalePricesMessage = ({ live }: Pick<Market, 'live'>): string | undefined =>
  live?.stale_since == null
    ? undefined
    : `No new prices since ${minute.format(Date.parse(live.stale_since))} UTC. Paper bots trade again when prices return.`;
