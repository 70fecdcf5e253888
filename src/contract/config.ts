import * as z from 'zod/mini';
import { exchangeName } from './bots/exchanges.ts';
import { livePrices, replaySpan } from './bots/paper-prices.ts';
import { answer } from './envelope.ts';

/** Server settings that the client needs before sign-in. */
export const serverConfig = z.object({
  /** True if mail stays on this machine and appears at /mailbox. */
  mailbox: z.boolean(),
  /** The chat's analyst: the built-in one or a language model. */
  analyst: z.enum(['built-in', 'model']),
  /** How plans are paid outside the native shell: the test store or not at all. */
  store: z.optional(z.enum(['test', 'none'])),
  /** The bots' exchange, and how to get an account there. */
  bots: z.optional(
    z.object({
      exchange: exchangeName,
      /** True without real money: the paper exchange or the exchange's test network. */
      paper: z.boolean(),
      /** Speed of a replay relative to real time. Null on any other market. */
      speed: z.nullable(z.number()),
      /** The history that the paper market replays. Null on any other market. */
      replay: z.optional(z.nullable(replaySpan)),
      /** The live prices that paper money follows. Null on any other market. */
      live: z.optional(z.nullable(livePrices)),
      /** Length of the candles that bots trade on, such as `1h`. */
      interval: z.optional(z.string()),
      signUpUrl: z.string(),
      /** The two links of the guidelines. */
      referralUrls: z.array(z.string()),
      /** IP addresses that orders come from, to restrict a key to. Empty if the operator sets none. */
      egressAddresses: z.array(z.string()),
    }),
  ),
});

export type ServerConfig = z.infer<typeof serverConfig>;

export const serverConfigAnswer = answer(serverConfig);
