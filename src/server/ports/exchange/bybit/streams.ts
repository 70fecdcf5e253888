import { createHmac } from 'node:crypto';
import WebSocket, { type RawData } from 'ws';
import * as z from 'zod/mini';
import { MINUTE, SECOND } from '#domain/clock.ts';
import type { AddressBudget } from '../address-budget.ts';
import type { AccountStream, Keys } from '../exchange.ts';
import { isOurs } from './answers.ts';
import { MARKET } from './market.ts';

/** Streams of one process. Requests alone show the accounts beyond it. */
const MAX_STREAMS = 2000;
/** Size of a message, bytes. */
const MAX_MESSAGE = 2 ** 20;
/** How long a login is valid, ms. */
const LOGIN_VALID = 10 * SECOND;
const TOPICS = ['order', 'execution', 'position', 'wallet'];

/** Times in ms. */
export interface StreamPatience {
  /** Interval of pings. A connection that is silent for two of them is lost. */
  ping: number;
  /** First and longest delay before a lost stream connects again. */
  firstRetry: number;
  maxRetry: number;
}

const PATIENCE: StreamPatience = { ping: 20 * SECOND, firstRetry: SECOND, maxRetry: 5 * MINUTE };

interface Options {
  /** Returns the address of a key's private streams. */
  urlOf: (keys: Keys) => string;
  /** The connections that this server's network address may open. */
  dials: AddressBudget;
  /** The exchange's time, ms. */
  now: () => number;
  patience?: StreamPatience | undefined;
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
export function createStreams({ urlOf, dials, now, patience = PATIENCE }: Options) {
  const open = new Set<AccountStream>();

  /** Connects until it is closed. */
  function watch(keys: Keys, onChange: () => void): AccountStream | undefined {
    if (open.size >= MAX_STREAMS) return undefined;
    const { key, secret } = keys;
    const state = { isLive: false, isClosed: false, wasLive: false, failures: 0 };
    let socket: WebSocket | undefined;
    let retry: NodeJS.Timeout | undefined;
    let settings: Settings | undefined;

    function lose(): void {
      state.isLive = false;
      socket = undefined;
      if (state.isClosed) return;
      const longest = Math.min(patience.firstRetry * 2 ** state.failures++, patience.maxRetry);
      // A part of the delay is random, so that streams that broke together do not come back together.
      retry = setTimeout(connect, longest * (0.5 + Math.random() / 2)).unref();
    }

    function receive(raw: RawData): void {
      const message: unknown = parseJson(raw);
      const told = z.safeParse(event, message);
      if (told.success) {
        if (needsLook(told.data, settings)) onChange();
        settings = settingsIn(told.data) ?? settings;
        return;
      }
      const { data } = z.safeParse(reply, message);
      if (data?.success === false) socket?.terminate();
      else if (data?.op === 'auth') socket?.send(JSON.stringify({ op: 'subscribe', args: TOPICS }));
      else if (data?.op === 'subscribe') {
        // What happened while the stream was lost is known to requests alone.
        if (state.wasLive) onChange();
        Object.assign(state, { isLive: true, wasLive: true, failures: 0 });
      }
    }

    function login(): void {
      const expires = now() + LOGIN_VALID;
      const signature = createHmac('sha256', secret).update(`GET/realtime${expires}`).digest('hex');
      socket?.send(JSON.stringify({ op: 'auth', args: [key, expires, signature] }));
    }

    async function connect(): Promise<void> {
      try {
        await dials.take('look');
        if (!state.isClosed) socket = dial({ url: urlOf(keys), ping: patience.ping, login, receive, lose });
      } catch {
        lose();
      }
    }

    const stream: AccountStream = {
      get isLive() {
        return state.isLive;
      },
      close() {
        state.isClosed = true;
        state.isLive = false;
        clearTimeout(retry);
        socket?.terminate();
        open.delete(stream);
      },
    };
    open.add(stream);
    void connect();
    return stream;
  }

  return {
    watch,
    close(): void {
      for (const stream of [...open]) stream.close();
    },
  };
}

interface Dialing {
  url: string;
  /** ms. */
  ping: number;
  login: () => void;
  receive: (raw: RawData) => void;
  /** Runs once, however the connection ends. */
  lose: () => void;
}

/** Opens a connection and keeps it alive. */
function dial({ url, ping, login, receive, lose }: Dialing): WebSocket {
  const socket = new WebSocket(url, { maxPayload: MAX_MESSAGE, handshakeTimeout: 10 * SECOND, perMessageDeflate: false });
  let isHeard = true;
  const pings = setInterval(() => {
    if (!isHeard) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op: 'ping' }));
    isHeard = false;
  }, ping).unref();
  socket.on('open', login);
  socket.on('message', (raw) => {
    isHeard = true;
    receive(raw);
  });
  // 'close' follows every error.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(pings);
    lose();
  });
  return socket;
}

function parseJson(raw: RawData): unknown {
  try {
    return JSON.parse(raw.toString());
  } catch {
    return undefined;
  }
}

function settingsIn({ topic, data }: z.output<typeof event>): Settings | undefined {
  if (topic !== 'position') return undefined;
  return data.map((row) => z.safeParse(position, row).data).findLast((row) => row?.symbol === MARKET.symbol);
}
