import * as z from 'zod/mini';
import { type MarketListBody, marketListBody } from './market';

/** GET /coin-market/get-data: what the POST takes as a body, as a query. Of a name that comes twice the last one counts. */
export const marketListQuery = z.pipe(
  z.pipe(z.record(z.string(), z.union([z.string(), z.array(z.string())])), z.transform(typed)),
  marketListBody,
);

/** Text that is a whole number becomes one; anything else is left to the schema to refuse. */
function typed(query: Record<string, string | string[]>): Record<string, unknown> {
  const numbers: readonly (keyof MarketListBody)[] = ['limit', 'sortType'];
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const text = Array.isArray(value) ? value.at(-1) : value;
      return [name, numbers.some((number) => number === name) && /^\d{1,9}$/.test(text ?? '') ? Number(text) : text];
    }),
  );
}
