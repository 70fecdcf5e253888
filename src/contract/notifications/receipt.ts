import * as z from 'zod/mini';
import { atMost } from '../text.ts';

/**
 * POST /notification/receipt: a device says that it has shown or opened a notification. Needs no session, because the token came with the
 * notification. Idempotent.
 */
export const receiptBody = z.object({
  token: z.string().check(atMost(100), z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w-]{24}$/)),
  event: z.enum(['shown', 'opened']),
});
export type ReceiptBody = z.infer<typeof receiptBody>;
