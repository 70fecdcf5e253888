import * as z from 'zod/mini';
import { answer } from './envelope';

/** What the client needs to know of this server before anybody signs in. */
export const serverConfig = z.object({
  /** Mail is kept on this machine and shown at /mailbox. */
  mailbox: z.boolean(),
  /** Who answers in the chat: Tidemark's own reader of figures and charts, or a language model. */
  analyst: z.enum(['built-in', 'model']),
  /** How plans are paid for where no native shell is: by the test store, or not at all. */
  store: z.optional(z.enum(['test', 'none'])),
});

export type ServerConfig = z.infer<typeof serverConfig>;

export const serverConfigAnswer = answer(serverConfig);
