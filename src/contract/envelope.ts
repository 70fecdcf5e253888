import * as z from 'zod/mini';

/** What most calls answer: `status` repeats the HTTP status, as spec §7 reads it ("reads status 200 and data"). */
export const answer = <T extends z.core.$ZodType>(data: T) => z.object({ status: z.number(), data });

/** What commands without a result answer: a sentence to show. */
export const messageAnswer = z.object({ status: z.number(), message: z.string() });
export type MessageAnswer = z.infer<typeof messageAnswer>;
