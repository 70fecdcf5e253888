import * as z from 'zod/mini';

/** Original time of the candles that a paper market replays, ISO 8601. */
export const replaySpan = z.object({ from: z.string(), to: z.string() });
export type ReplaySpan = z.infer<typeof replaySpan>;

/** The live market that paper money follows, and since when it has sent no prices, ISO 8601; null while it does. */
export const livePrices = z.object({ source: z.string(), stale_since: z.nullable(z.string()) });
export type LivePrices = z.infer<typeof livePrices>;
