import type { Quote } from '#contract/market/market.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';

/** Creates a quote with only these figures known. */
export const quote = (known: Partial<Quote>): Quote => ({ ...NO_FIGURES, ...known });
