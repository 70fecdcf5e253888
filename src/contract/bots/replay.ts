import * as z from 'zod/mini';

/** Original time of the candles that a paper market replays, ISO 8601. */
export const replaySpan = z.object({ from: z.string(), to: z.string() });
export type ReplaySpan = z.infer<typeof replaySpan>;
