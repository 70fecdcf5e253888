import * as z from 'zod/mini';

/** Shape of every error answer. `code` is for programs, `message` for users, `detail` for forms (see below). */
export const apiError = z.object({
  status: z.number(),
  code: z.string(),
  message: z.string(),
  detail: z.optional(z.record(z.string(), z.unknown())),
});
export type ApiErrorBody = z.infer<typeof apiError>;

/** `detail` of a `validation` error: the first message for each field. */
export const fieldErrors = z.object({ fields: z.record(z.string(), z.string()) });

/** `detail` of a refused login. 1: show the message. 2: the address still needs verification. */
export const loginRefusal = z.object({ isVerified: z.union([z.literal(1), z.literal(2)]) });
