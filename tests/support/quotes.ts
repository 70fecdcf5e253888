import type { Quote } from '../../src/contract/market';
import { NO_FIGURES } from '../../src/domain/figures';

/** A quote of which only the given figures are known. */
export const quote = (known: Partial<Quote>): Quote => ({ ...NO_FIGURES, ...known });
