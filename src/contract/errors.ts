import * as z from 'zod/mini';

/**
 * The one shape in which every call reports a failure.
 * `code` is for programs, `message` for people, `detail` for what a form needs (see the helpers below).
 */
export const apiError = z.object({
  status: z.number(),
  code: z.string(),
  message: z.string(),
  detail: z.optional(z.record(z.string(), z.unknown())),
});
export type ApiErrorBody = z.infer<typeof apiError>;

/** `detail` of a `validation` error: the first complaint about each field, by field name. */
export const fieldErrors = z.object({ fields: z.record(z.string(), z.string()) });

/** `detail` of a refused login (spec §8): 1, the message says it all; 2, the address waits for verification. */
export const loginRefusal = z.object({ isVerified: z.union([z.literal(1), z.literal(2)]) });
