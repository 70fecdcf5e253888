import * as z from 'zod/mini';
import { exchangeName } from './bots/exchanges.ts';
import { answer } from './envelope.ts';

/** What the client needs to know of this server before anybody signs in. */
export const serverConfig = z.object({
  /** Mail is kept on this machine and shown at /mailbox. */
  mailbox: z.boolean(),
  /** Who answers in the chat: Tidemark's own reader of figures and charts, or a language model. */
  analyst: z.enum(['built-in', 'model']),
  /** How plans are paid for where no native shell is: by the test store, or not at all. */
  store: z.optional(z.enum(['test', 'none'])),
  /** Where bots trade, and how one gets an account there. */
  bots: z.optional(
    z.object({
      exchange: exchangeName,
      /** Fake money: the paper exchange, or the exchange's test network. */
      paper: z.boolean(),
      /** How much faster than life the paper market runs; null on a real one. */
      speed: z.nullable(z.number()),
      signUpUrl: z.string(),
      /** The two links of the guidelines. */
      referralUrls: z.array(z.string()),
      /** Network addresses that orders come from, to bind a key to; empty where the operator names none. */
      egressAddresses: z.array(z.string()),
    }),
  ),
});

export type ServerConfig = z.infer<typeof serverConfig>;

export const serverConfigAnswer = answer(serverConfig);
