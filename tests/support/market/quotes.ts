import type { Quote } from '#contract/market/market.ts';
import { NO_FIGURES } from '#domain/market/figures.ts';

/** A quote of which only the given figures are known. */
export const quote = (known: Partial<Quote>): Quote => ({ ...NO_FIGURES, ...known });
