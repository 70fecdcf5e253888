import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { SECOND } from '#domain/clock.ts';
import type { AddressBudget } from '#server/ports/exchange/address-budget.ts';
import type { AccountStream, Keys } from '#server/ports/exchange/exchange.ts';
import { isOurs } from '#server/ports/exchange/live/our-orders.ts';
import { MARKET } from '../market.ts';
import { keepConnected, STREAM_TIMING, type StreamTiming } from './stream-socket.ts';

/** Streams of one process. Requests alone show the accounts beyond it. */
const MAX_STREAMS = 2000;
/** How long a login is valid, ms. */
const LOGIN_VALID = 10 * SECOND;
const TOPICS = ['order', 'execution', 'position', 'wallet'];

interface Options {
  /** Returns the address of a key's private streams. */
  urlOf: (keys: Keys) => string;
  /** The connections that this server's network address may open. */
  dials: AddressBudget;
  /** The exchange's time, ms. */
  now: () => number;
  patience?: StreamTiming | undefined;
}

const text = z._default(z.string(), '');
const figure = z._default(z.union([z.string(), z.number()]), '');
const event = z.object({ topic: z.string(), data: z.array(z.record(z.string(), z.unknown())) });
const reply = z.object({ op: z.string(), success: z.optional(z.boolean()) });
const execution = z.object({ symbol: text, orderLinkId: text, execType: text });
const position = z.object({ symbol: text, size: figure, stopLoss: figure, positionStatus: text, leverage: figure, positionIdx: figure });

/** What of a position is worth a look when it changes. */
type Settings = Pick<z.output<typeof position>, 'leverage' | 'positionIdx'>;

/**
 * Whether a message needs a look at the account. The engine looks at its own orders anyway, so only these do: a fill of another order,
 * a position without a stop or in liquidation, and changed settings.
 */
function needsLook(message: z.output<typeof event>, before: Settings | undefined): boolean {
  return message.data.some((row) => {
    if (message.topic === 'execution') {
      const { data } = z.safeParse(execution, row);
      return !data || (data.symbol === MARKET.symbol && !isOurs(data.orderLinkId) && data.execType !== 'Funding');
    }
    if (message.topic !== 'position') return false;
    const { data } = z.safeParse(position, row);
    if (!data) return true;
    if (data.symbol !== MARKET.symbol) return false;
    const isBare = Number(data.size) > 0 && !(Number(data.stopLoss) > 0);
    const isChanged = before !== undefined && (data.leverage !== before.leverage || data.positionIdx !== before.positionIdx);
    return isBare || isChanged || !['', 'Normal'].includes(data.positionStatus);
  });
}

/** Creates the private streams of accounts. A stream only says when to look: requests remain the source of truth. */
export function createStreams({ urlOf, dials, now, patience = STREAM_TIMING }: Options) {
  const open = new Set<AccountStream>();

  /** Connects until it is closed. */
  function watch(keys: Keys, onChange: () => void): AccountStream | undefined {
    if (open.size >= MAX_STREAMS) return undefined;
    const { key, secret } = keys;
    const state = { isLive: false, wasLive: false };
    let settings: Settings | undefined;

    function receive(message: unknown): void {
      const told = z.safeParse(event, message);
      if (told.success) {
        if (needsLook(told.data, settings)) onChange();
        settings = settingsIn(told.data) ?? settings;
        return;
      }
      const { data } = z.safeParse(reply, message);
      if (data?.success === false) socket.reset();
      else if (data?.op === 'auth') socket.send({ op: 'subscribe', args: TOPICS });
      else if (data?.op === 'subscribe') {
        // What happened while the stream was lost is known to requests alone.
        if (state.wasLive) onChange();
        Object.assign(state, { isLive: true, wasLive: true });
        socket.confirm();
      }
    }

    function login(): void {
      const expires = now() + LOGIN_VALID;
      const signature = createHmac('sha256', secret).update(`GET/realtime${expires}`).digest('hex');
      socket.send({ op: 'auth', args: [key, expires, signature] });
    }

    const socket = keepConnected({
      url: () => urlOf(keys),
      dials,
      patience,
      onOpen: login,
      onMessage: receive,
      onLost: () => {
        state.isLive = false;
      },
    });
    const stream: AccountStream = {
      get isLive() {
        return state.isLive;
      },
      close() {
        state.isLive = false;
        socket.close();
        open.delete(stream);
      },
    };
    open.add(stream);
    return stream;
  }

  return {
    watch,
    close(): void {
      for (const stream of [...open]) stream.close();
    },
  };
}

function settingsIn({ topic, data }: z.output<typeof event>): Settings | undefined {
  if (topic !== 'position') return undefined;
  return data.map((row) => z.safeParse(position, row).data).findLast((row) => row?.symbol === MARKET.symbol);
}
