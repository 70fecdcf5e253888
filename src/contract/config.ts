import * as z from 'zod/mini';
import { answer } from './envelope';

/** What the client needs to know of this server before anybody signs in. */
export const serverConfig = z.object({
  /** Mail is kept on this machine and shown at /mailbox. */
  mailbox: z.boolean(),
});

export const serverConfigAnswer = answer(serverConfig);
