import * as z from 'zod/mini';
import { atMost, listOf } from '../text.ts';
import { type MarketListBody, marketListBody } from './market.ts';

const text = z.string().check(atMost(40));
const given = z.optional(z.union([text, z.array(text).check(listOf(20))]));
type Query = Record<keyof MarketListBody, typeof given>;
const query = z.object(Object.fromEntries(Object.keys(marketListBody.shape).map((name) => [name, given])) as Query);

/** GET /coin-market/get-data: the POST's body as a query. The last of repeated parameters wins. */
export const marketListQuery = z.pipe(z.pipe(query, z.transform(typed)), marketListBody);

/** Converts whole numbers. The schema refuses anything else. */
function typed(query: Record<string, string | string[] | undefined>): Record<string, unknown> {
  const numbers: readonly (keyof MarketListBody)[] = ['limit', 'sortType'];
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const text = Array.isArray(value) ? value.at(-1) : value;
      return [name, numbers.some((number) => number === name) && /^\d{1,9}$/.test(text ?? '') ? Number(text) : text];
    }),
  );
}
