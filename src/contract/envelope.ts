import * as z from 'zod/mini';

/** Envelope of most answers. `status` repeats the HTTP status. */
export const answer = <T extends z.core.$ZodType>(data: T) => z.object({ status: z.number(), data });

/** Answer of commands without a result: a sentence to show. */
export const messageAnswer = z.object({ status: z.number(), message: z.string() });
export type MessageAnswer = z.infer<typeof messageAnswer>;
