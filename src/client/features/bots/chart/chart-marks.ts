import type { DrawnLine, DrawnMark } from '#client/coins/chart/overlays.ts';
import { formatUtc } from '#client/ui/labels/format-utc.ts';
import type { BotPosition } from '#contract/bots/bot.ts';
import type { BotChart, ChartTrade } from '#contract/bots/bot-chart.ts';
import type { AmountTexts } from '#domain/bots/bot-amounts.ts';
import { clockName, instrumentName } from '#domain/bots/instrument.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { formatUsd } from '#domain/format/format-number.ts';

/** Returns the words for a change of paper money to the current prices. */
const pricesName = ({ speed }: { speed: number | null }): string => (speed === null ? 'Live prices' : 'Replay');

/** Returns an arrow for each entry and exit within the candles, and a square where the prices began; oldest first. */
export function marksOf(
  { trades, candles, interval, prices_began }: BotChart,
  market: { speed: number | null },
  { gain }: AmountTexts,
): DrawnMark[] {
  const first = candles[0]?.time ?? Number.POSITIVE_INFINITY;
  const marks = trades.flatMap(({ side, opened, closed }): DrawnMark[] => {
    const isLong = side === 'long';
    const entry: DrawnMark = { time: opened, shape: isLong ? 'arrowUp' : 'arrowDown', tone: 'ink-2', text: isLong ? 'Long' : 'Short' };
    if (!closed) return [entry];
    const exit: DrawnMark = {
      time: closed.at,
      shape: isLong ? 'arrowDown' : 'arrowUp',
      tone: closed.pnl < 0 ? 'down' : 'up',
      text: gain(closed.pnl),
    };
    return [entry, exit];
  });
  const change: DrawnMark[] =
    prices_began == null ? [] : [{ time: prices_began, shape: 'square', tone: 'ink-2', text: pricesName(market) }];
  return [...change, ...marks]
    .map((mark) => ({ ...mark, time: Math.floor(mark.time / interval) * interval }))
    .filter(({ time }) => time >= first)
    .sort((a, b) => a.time - b.time);
}

/** Returns the lines of the open position: entry, stop and target. */
export function linesOf(position: Pick<BotPosition, 'entry_price' | 'stop_price' | 'target_price'> | null): DrawnLine[] {
  if (!position) return [];
  const { entry_price, stop_price, target_price } = position;
  return [
    { price: entry_price, title: 'Entry', tone: 'ink-2' },
    ...(stop_price === null ? [] : [{ price: stop_price, title: 'Stop', tone: 'down' } as const]),
    ...(target_price === null ? [] : [{ price: target_price, title: 'Target', tone: 'up' } as const]),
  ];
}

/** Returns what the bot did during the candle that opens at `time`, as words. */
export function actionsAt(trades: readonly ChartTrade[], time: number, interval: number, { gain }: AmountTexts): string {
  const within = (at: number) => at >= time && at < time + interval;
  return trades
    .flatMap(({ side, entry_price, opened, closed }) => [
      ...(within(opened) ? [`Opened ${side} at ${formatUsd(entry_price)}.`] : []),
      ...(closed && within(closed.at) ? [`Closed ${side} at ${formatUsd(closed.price)} (${closed.reason}), ${gain(closed.pnl)}.`] : []),
    ])
    .join(' ');
}

/** Explains the dates of a replay. */
function clockNote({ speed }: { speed: number | null }): string[] {
  if (speed === null) return [];
  const pace = speed === 1 ? '' : `, which runs ${speed.toLocaleString('en-US')} times as fast`;
  return [`Replay time is the replay's own clock${pace}.`];
}

/** Describes the whole chart in words. */
export function chartSummary(
  { candles, levels, trades, prices_began }: BotChart,
  market: { speed: number | null },
  lines: readonly DrawnLine[],
): string {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return '';
  const closed = trades.filter((trade) => trade.closed).length;
  const position = lines.map(({ title, price }) => `${title.toLowerCase()} ${formatUsd(price)}`).join(', ');
  const low = formatUsd(Math.min(...candles.map((candle) => candle.low)));
  const high = formatUsd(Math.max(...candles.map((candle) => candle.high)));
  return [
    `${formatCount(candles.length, 'candle')} of ${instrumentName(market)} from ${formatUtc(first.time)} to ${formatUtc(last.time)} ${clockName(market)},`,
    `from ${low} to ${high}, now ${formatUsd(last.close)}.`,
    `${formatCount(levels.length, 'level')}, ${formatCount(trades.length, 'entry', 'entries')}, ${formatCount(closed, 'exit')}.`,
    position ? `Open position: ${position}.` : 'No open position.',
    ...(prices_began == null || prices_began < first.time
      ? []
      : [`${pricesName(market)} since ${formatUtc(prices_began)} ${clockName(market)}. Earlier trades are only in the table.`]),
    ...clockNote(market),
  ].join(' ');
}
