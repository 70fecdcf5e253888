import * as z from 'zod/mini';
import { type Clock, SECOND } from '#domain/clock.ts';
import { PRODUCT } from '#domain/product.ts';
import { ExchangeError, type Keys } from '../exchange.ts';
import { noAnswer, troubleOf } from './trouble.ts';

const READS = [
  'publicGetV5MarketTime',
  'publicGetV5MarketKline',
  'privateGetV5UserQueryApi',
  'privateGetV5UserAffCustomerInfo',
  'privateGetV5AccountInfo',
  'privateGetV5AccountWalletBalance',
  'privateGetV5PositionList',
  'privateGetV5OrderRealtime',
  'privateGetV5OrderHistory',
  'privateGetV5ExecutionList',
] as const;
const WRITES = [
  'privatePostV5AccountSetMarginMode',
  'privatePostV5PositionSwitchMode',
  'privatePostV5PositionSetLeverage',
  'privatePostV5PositionTradingStop',
  'privatePostV5OrderCreate',
  'privatePostV5OrderCancel',
] as const;

type Read = (typeof READS)[number];
type Write = (typeof WRITES)[number];
type Params = Record<string, string | number | boolean>;

/** The parts of ccxt in use: one method per signed call, its rate limit, and two hooks. */
type Ccxt = Record<Read | Write, (params: Params) => Promise<unknown>> & {
  urls: { api: unknown };
  setSandboxMode(on: boolean): void;
  loadFetchImplementation(): Promise<void>;
  nonce: () => number;
  handleErrors: (status: number, reason: string, url: string, method: string, headers: object, body: string, answer: unknown) => void;
};
type CcxtClass = new (options: object) => Ccxt;

/**
 * Pause per fifth of a call, ms. ccxt's own pace is too slow: it shares one limit between calls that Bybit counts separately.
 * Bybit still refuses what comes too fast.
 */
const PACE = 4;
/** Cached connections. Creating one is slow. */
const MAX_CACHED = 256;
/** First backoff after a rate limit without an end, doubled each time, ms. */
const FIRST_BACKOFF = 250;

const envelope = z.object({ retCode: z.literal(0), result: z.record(z.string(), z.unknown()), time: z.number() });
const refusal = z.object({ retCode: z.number() });

/** Bybit answered with an error. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: number | undefined,
    /** When the rate limit ends, ms of the exchange's time. */
    readonly limitEnds: number | undefined,
  ) {
    super('refused');
  }
}

export interface Answer {
  result: unknown;
  /** The exchange's time, ms. */
  time: number;
}

/** Calls with one key. They reject with ExchangeError, whose message never quotes the request. */
export interface Connection {
  read(call: Read, params: Params): Promise<Answer>;
  write(call: Write, params: Params): Promise<Answer>;
}

interface Options {
  testnet: boolean;
  baseUrl?: string;
  clock: Clock;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience: { answer: number; limit: number };
}

/** Creates connections to Bybit through ccxt, which only this file loads. All share one offset to the exchange's time. */
export async function createConnections({ testnet, baseUrl, clock, patience }: Options) {
  // The package's index would load a hundred exchanges.
  const file = new URL('./src/bybit.js', import.meta.resolve('ccxt')).href;
  const { default: Bybit } = (await import(/* @vite-ignore */ file)) as { default: CcxtClass };
  const cached = new Map<string, Connection>();
  /** The exchange's time minus the server's, ms. */
  let ahead = 0;
  const now = () => Math.round(clock() + ahead);

  function createClient(keys: Keys | undefined): Ccxt {
    const client = new Bybit({
      ...(keys && { apiKey: keys.key, secret: keys.secret }),
      timeout: patience.answer,
      rateLimit: PACE,
      userAgent: PRODUCT,
      options: { brokerId: '' },
    });
    if (testnet) client.setSandboxMode(true);
    if (baseUrl !== undefined) client.urls.api = { public: baseUrl, private: baseUrl };
    client.nonce = now;
    client.handleErrors = (status, _reason, _url, _method, headers, _body, answer) => {
      const read = z.safeParse(refusal, answer);
      const code = read.success ? read.data.retCode : undefined;
      if (code !== 0 || status >= 400) throw new Refused(status, code, limitEnd(headers));
    };
    return client;
  }

  /** Sends a request once. Replaces ccxt's errors, because they quote the request. */
  async function sendOnce(client: Ccxt, call: Read | Write, params: Params, write: boolean): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    // Before the timer starts: loading is not part of the answer's time.
    await client.loadFetchImplementation();
    try {
      // ccxt's own timeout ends when an answer begins.
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(noAnswer(write, { how: 'no answer in time' })), patience.answer);
      });
      const answer = z.safeParse(envelope, await Promise.race([client[call](params), late]));
      if (!answer.success) throw noAnswer(write, { how: 'its answer cannot be read' });
      return answer.data;
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      if (!(error instanceof Refused)) throw noAnswer(write, { how: 'no connection' });
      if (error.status === 429) throw new Limited(error.limitEnds);
      if (error.code === undefined || error.code === 0 || error.status >= 500)
        throw noAnswer(write, { how: error.status < 400 ? 'its answer cannot be read' : `HTTP ${error.status}` });
      const trouble = troubleOf(error.code, write);
      throw trouble.trouble === 'rate-limit' ? new Limited(error.limitEnds, trouble) : trouble;
    } finally {
      clearTimeout(timer);
    }
  }

  async function syncClock(client: Ccxt): Promise<void> {
    const { time } = await sendOnce(client, 'publicGetV5MarketTime', {}, false);
    ahead = time - clock();
  }

  /** Sends a request, and retries after a rate limit or one wrong clock. Both are refusals, so the request changed nothing. */
  async function sendWithRetry(client: Ccxt, call: Read | Write, params: Params, write: boolean): Promise<Answer> {
    let isSynced = false;
    let left = patience.limit;
    for (let tries = 0; ; tries++) {
      try {
        return await sendOnce(client, call, params, write);
      } catch (error) {
        if (error instanceof Limited) {
          const wait = Math.max(FIRST_BACKOFF * 2 ** tries, error.ends === undefined ? 0 : error.ends - now());
          if (wait > left) throw error;
          left -= wait;
          await new Promise((resolve) => setTimeout(resolve, wait));
        } else if (error instanceof ExchangeError && error.trouble === 'clock' && !isSynced) {
          isSynced = true;
          await syncClock(client);
        } else throw error;
      }
    }
  }

  function connect(keys: Keys | undefined): Connection {
    const client = createClient(keys);
    return {
      read: (call, params) => sendWithRetry(client, call, params, false),
      write: (call, params) => sendWithRetry(client, call, params, true),
    };
  }

  return {
    /** Returns the exchange's time, ms. */
    now,
    /** Corrects the clock offset from an answer. Ignores differences that a slow answer explains. */
    updateClock(time: number): void {
      if (Math.abs(time - now()) > SECOND) ahead = time - clock();
    },
    public: connect(undefined),
    /** Returns the cached connection of a key, or a new one. */
    of(keys: Keys): Connection {
      const name = JSON.stringify([keys.key, keys.secret]);
      const connection = cached.get(name) ?? connect(keys);
      cached.delete(name);
      cached.set(name, connection);
      const [oldest] = cached.keys();
      if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest);
      return connection;
    },
  };
}

export type Connections = Awaited<ReturnType<typeof createConnections>>;

/** A rate limit. `ends` is in ms of the exchange's time, undefined if unknown. */
class Limited extends ExchangeError {
  constructor(
    readonly ends: number | undefined,
    { message, code }: Pick<ExchangeError, 'message' | 'code'> = troubleOf(10006, false),
  ) {
    super('rate-limit', message, code);
  }
}

function limitEnd(headers: object): number | undefined {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-bapi-limit-reset-timestamp') ?? [];
  const time = Number(value);
  return Number.isFinite(time) && time > 0 ? time : undefined;
}
