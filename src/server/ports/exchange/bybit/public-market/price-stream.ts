import * as z from 'zod/mini';
import type { AddressBudget } from '#server/ports/exchange/address-budget.ts';
import { price } from '#server/ports/exchange/live/answers.ts';
import type { LastPrice } from '#server/ports/exchange/public-market.ts';
import { MARKET } from '../market.ts';
import { keepConnected, STREAM_TIMING, type StreamTiming } from '../streams/stream-socket.ts';

const TOPIC = `tickers.${MARKET.symbol}`;

/** A snapshot, or a delta, which has only what has changed. */
const ticker = z.object({ topic: z.literal(TOPIC), ts: z.number(), data: z.object({ lastPrice: z.optional(price) }) });
const reply = z.object({ op: z.literal('subscribe'), success: z.boolean() });

interface Options {
  /** Address of the market's public streams. */
  url: string;
  /** The connections that this server's network address may open. */
  dials: AddressBudget;
  /** Receives the last price with each message, in the order of the exchange's time. */
  onPrice: (last: LastPrice) => void;
  patience?: StreamTiming | undefined;
}

/** Follows the last price by the market's public stream until it is closed. */
export function createPriceStream({ url, dials, onPrice, patience = STREAM_TIMING }: Options): { close(): void } {
  let last: LastPrice | undefined;

  function receive(message: unknown): void {
    const { data: told } = z.safeParse(ticker, message);
    if (told) {
      const current = told.data.lastPrice ?? last?.price;
      // Ignores a late message with an older price.
      if (current === undefined || (last && told.ts < last.at)) return;
      last = { price: current, at: told.ts };
      onPrice(last);
      return;
    }
    const { data: answer } = z.safeParse(reply, message);
    if (answer?.success === false) socket.reset();
    else if (answer) socket.confirm();
  }

  const socket = keepConnected({
    url: () => url,
    dials,
    patience,
    onOpen: () => socket.send({ op: 'subscribe', args: [TOPIC] }),
    onMessage: receive,
    // A new connection begins with a snapshot.
    onLost: () => {
      last = undefined;
    },
  });
  return { close: socket.close };
}
