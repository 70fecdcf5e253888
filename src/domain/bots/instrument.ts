import type { ReplaySpan } from '#contract/bots/replay.ts';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Returns the name of what a bot trades. A replayed history has its own prices and dates, so it is not called BTC. */
export const instrumentName = ({ speed }: { speed: number | null }): string => (speed === null ? 'BTC' : 'BTC replay');

interface Replayed {
  speed: number | null;
  replay?: (ReplaySpan & { at?: string }) | null | undefined;
}

/** Explains a replay with its original dates; undefined for a real market. */
export function replayNote({ speed, replay }: Replayed): string | undefined {
  if (!replay || speed === null) return undefined;
  const dates = day.formatRange(Date.parse(replay.from), Date.parse(replay.to));
  const pace = speed === 1 ? '' : `, ${speed.toLocaleString('en-US')} times as fast`;
  const position = replay.at === undefined ? '' : ` It is at ${day.format(Date.parse(replay.at))}.`;
  return `BTC replay repeats the real prices of ${dates}${pace}, forward and backward.${position}`;
}
