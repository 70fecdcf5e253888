import { readFigures } from '#contract/chat/answer-figures.ts';
import { formatMoment } from './format-figure.ts';

/** Returns a line for each source of an answer's figures that the answer does not name itself: "Kraken BTC/USD, 13 May 2026, 09:30 UTC". */
export function sourceLines(figures: unknown, answer: string): string[] {
  const { sources = [], list = [] } = readFigures(figures) ?? {};
  const used = sources.filter((_, place) => list.some(({ source }) => source === place));
  return [...new Set(used.filter(({ name }) => !answer.includes(name)).map(({ name, asOf }) => `${name}, ${formatMoment(asOf)}`))];
}
