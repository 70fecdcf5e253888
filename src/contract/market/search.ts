import * as z from 'zod/mini';
import { answer } from '../envelope.ts';

/** A coin that a search found. Price in USD and its change in percent, null or absent if unknown; `asOf` (ISO 8601) is their time. */
export const searchHit = z.object({
  id: z.number(),
  name: z.string(),
  symbol: z.string(),
  price: z.optional(z.nullable(z.number())),
  percent_change_24h: z.optional(z.nullable(z.number())),
  asOf: z.optional(z.string()),
});
export type SearchHit = z.infer<typeof searchHit>;

export const searchAnswer = answer(z.array(searchHit));
