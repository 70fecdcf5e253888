import * as z from 'zod/mini';
import { answer } from '../envelope.ts';
import { PERIODS } from '../market/choices.ts';
import { figure, marketSource } from '../market/market.ts';
import { atMost, listOf } from '../text.ts';

/** Figures of an answer that the user can tap; further ones stay text. */
export const MAX_FIGURES = 150;
/** Characters of a figure in the text. */
export const MAX_FIGURE_TEXT = 40;
export const MAX_FIGURE_LABEL = 160;
export const MAX_FIGURE_SOURCES = 20;
export const MAX_SOURCE_NAME = 200;

const coinId = z.int().check(z.minimum(1), z.maximum(999_999_999));
const finite = z.number().check(z.refine(Number.isFinite));

/** What a current figure can be asked by. Those of days come from daily candles. */
export const figureMetric = z.enum([
  'price',
  'change',
  'market_cap',
  'volume',
  'volume_change',
  'volume_to_cap',
  'fully_diluted',
  'rank',
  'supply',
  'max_supply',
  'dominance',
  'rising',
  'falling',
  'high',
  'low',
  'volatility',
  'drawdown',
  'correlation',
  'funding_rate',
  'open_interest',
]);
export type FigureMetric = z.infer<typeof figureMetric>;

/** Names a figure whose current value can be looked up: `times` × metric ÷ the price of `over` + `plus`. */
export const figureSubject = z.object({
  metric: figureMetric,
  /** Without a coin: the sum over the listed coins, or for a price one dollar. */
  coin: z.optional(coinId),
  /** The other coin of a correlation. */
  other: z.optional(coinId),
  over: z.optional(coinId),
  period: z.optional(z.enum(PERIODS)),
  /** Days back that candles are read. */
  days: z.optional(z.int().check(z.minimum(1), z.maximum(40_000))),
  times: z.optional(finite),
  plus: z.optional(finite),
});
export type FigureSubject = z.infer<typeof figureSubject>;

export const figureUnit = z.enum(['USD', 'BTC', 'coins', 'percent', 'rank', 'count', 'ratio', 'unknown']);
export type FigureUnit = z.infer<typeof figureUnit>;

/** What found a figure: market figures, candles, levels in candles, a calculation, the picture of the question, or the user's own rows. */
export const figureTool = z.enum(['quotes', 'candles', 'levels', 'calculation', 'picture', 'account']);
export type FigureTool = z.infer<typeof figureTool>;

const figureSource = z.object({
  tool: figureTool,
  /** Shown to the user, such as "Kraken BTC/USD". */
  name: z.string().check(atMost(MAX_SOURCE_NAME)),
  /** The time that the figures are of, ISO 8601, UTC. */
  asOf: z.string().check(atMost(40)),
});
export type FigureSource = z.infer<typeof figureSource>;

const answerFigure = z.object({
  /** Place in `ai_response`, in UTF-16 units. Figures are in the order of the text and do not overlap. */
  at: z.int().check(z.minimum(0)),
  length: z.int().check(z.minimum(1), z.maximum(MAX_FIGURE_TEXT)),
  /** Such as "Price of Bitcoin (BTC)". */
  label: z.string().check(atMost(MAX_FIGURE_LABEL)),
  value: finite,
  unit: figureUnit,
  /** Index in `sources`. */
  source: z.int().check(z.minimum(0), z.maximum(MAX_FIGURE_SOURCES - 1)),
  /** Absent where no current figure compares. */
  now: z.optional(figureSubject),
});
export type AnswerFigure = z.infer<typeof answerFigure>;

/** Where the figures of an answer come from. */
export const answerFigures = z.object({
  sources: z.array(figureSource).check(listOf(MAX_FIGURE_SOURCES)),
  list: z.array(answerFigure).check(listOf(MAX_FIGURES)),
});
export type AnswerFigures = z.infer<typeof answerFigures>;

/** Reads the figures of a message; null if there are none, or if another version wrote them in a way that this one can't read. */
export const readFigures = (figures: unknown): AnswerFigures | null => z.safeParse(answerFigures, figures).data ?? null;

/** POST /chat/figures/current looks up a figure. Its value is null where the coin or its figure is gone. */
export const currentFigure = z.object({ value: figure, source: marketSource });
export type CurrentFigure = z.infer<typeof currentFigure>;
export const currentFigureAnswer = answer(currentFigure);
