import type { ChartLevel } from '#contract/chat/chart-reading.ts';

export interface NamedChartLevel extends ChartLevel {
  /** As traders write it: R1 is the first resistance above the last close, S1 the first support below it. */
  name: string;
}

/** Names the levels of a reading, at most `most` of each kind: resistances first, and of each kind the one next to the price first. */
export function nameLevels(levels: readonly ChartLevel[], most = Infinity): NamedChartLevel[] {
  const named = (letter: string, kind: ChartLevel['kind'], sign: number) =>
    levels
      .filter((level) => level.kind === kind)
      .sort((one, other) => sign * (one.y - other.y))
      .slice(0, most)
      .map((level, index) => ({ ...level, name: `${letter}${index + 1}` }));
  return [...named('R', 'resistance', -1), ...named('S', 'support', 1)];
}
