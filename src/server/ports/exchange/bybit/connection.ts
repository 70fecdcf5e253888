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

/** What is used of ccxt: its signed calls, one method each, its rate limit, and two places where we step in. */
type Ccxt = Record<Read | Write, (params: Params) => Promise<unknown>> & {
  urls: { api: unknown };
  setSandboxMode(on: boolean): void;
  loadFetchImplementation(): Promise<void>;
  nonce: () => number;
  handleErrors: (status: number, reason: string, url: string, method: string, headers: object, body: string, answer: unknown) => void;
};
type CcxtClass = new (options: object) => Ccxt;

/**
 * ccxt counts every call as a tenth of what a second allows, although each kind of call has its own tenth; ms for each fifth
 * of a call. What is asked too fast all the same, Bybit says itself.
 */
const PACE = 4;
/** Accounts whose connection is kept. Making one takes a while. */
const MOST_KEPT = 256;
/** The first wait after a rate limit that does not say how long; doubled each time, ms. */
const FIRST_WAIT = 250;

const envelope = z.object({ retCode: z.literal(0), result: z.record(z.string(), z.unknown()), time: z.number() });
const refusal = z.object({ retCode: z.number() });

/** What Bybit answered instead of what was asked for. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: number | undefined,
    /** When its rate limit ends, ms of its time. */
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

/** Calls in the name of one key. They reject with ExchangeError, whose words hold nothing of what was sent. */
export interface Connection {
  read(call: Read, params: Params): Promise<Answer>;
  write(call: Write, params: Params): Promise<Answer>;
}

interface Options {
  testnet: boolean;
  baseUrl?: string;
  clock: Clock;
  /** How long an answer may take, and how long a rate limit is waited for, ms. */
  patience: { answer: number; limit: number };
}

/** Connections to Bybit by ccxt, which is loaded here and nowhere else. They share one idea of the exchange's time. */
export async function createConnections({ testnet, baseUrl, clock, patience }: Options) {
  // This one exchange alone: the package's index would load a hundred.
  const file = new URL('./src/bybit.js', import.meta.resolve('ccxt')).href;
  const { default: Bybit } = (await import(/* @vite-ignore */ file)) as { default: CcxtClass };
  const kept = new Map<string, Connection>();
  /** How far the exchange's clock is ahead of ours, ms. */
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

  /** Asks once. ccxt's own errors quote what was sent, so none of them gets out. */
  async function once(client: Ccxt, call: Read | Write, params: Params, write: boolean): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    // Not a part of the time that an answer takes.
    await client.loadFetchImplementation();
    try {
      // ccxt watches the time only until an answer begins.
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(noAnswer(write, { how: 'no answer in time' })), patience.answer);
      });
      const answer = z.safeParse(envelope, await Promise.race([client[call](params), late]));
      if (!answer.success) throw noAnswer(write, { how: 'its answer can not be read' });
      return answer.data;
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      if (!(error instanceof Refused)) throw noAnswer(write, { how: 'no connection' });
      if (error.status === 429) throw new Limited(error.limitEnds);
      if (error.code === undefined || error.code === 0 || error.status >= 500)
        throw noAnswer(write, { how: error.status < 400 ? 'its answer can not be read' : `HTTP ${error.status}` });
      const trouble = troubleOf(error.code, write);
      throw trouble.trouble === 'rate-limit' ? new Limited(error.limitEnds, trouble) : trouble;
    } finally {
      clearTimeout(timer);
    }
  }

  async function synchronise(client: Ccxt): Promise<void> {
    const { time } = await once(client, 'publicGetV5MarketTime', {}, false);
    ahead = time - clock();
  }

  /** Asks, waits for a rate limit as long as is bearable, and sets the clock once: both are refusals, so nothing was done. */
  async function ask(client: Ccxt, call: Read | Write, params: Params, write: boolean): Promise<Answer> {
    let synchronised = false;
    let left = patience.limit;
    for (let tries = 0; ; tries++) {
      try {
        return await once(client, call, params, write);
      } catch (error) {
        if (error instanceof Limited) {
          const wait = Math.max(FIRST_WAIT * 2 ** tries, error.ends === undefined ? 0 : error.ends - now());
          if (wait > left) throw error;
          left -= wait;
          await new Promise((resolve) => setTimeout(resolve, wait));
        } else if (error instanceof ExchangeError && error.trouble === 'clock' && !synchronised) {
          synchronised = true;
          await synchronise(client);
        } else throw error;
      }
    }
  }

  function connect(keys: Keys | undefined): Connection {
    const client = createClient(keys);
    return {
      read: (call, params) => ask(client, call, params, false),
      write: (call, params) => ask(client, call, params, true),
    };
  }

  return {
    /** The exchange's time, as far as it is known; ms. */
    now,
    /** Hears the exchange's time from an answer. Differences that a slow answer makes are left alone. */
    heard(time: number): void {
      if (Math.abs(time - now()) > SECOND) ahead = time - clock();
    },
    public: connect(undefined),
    /** The connection of a key; the same one for the same key. */
    of(keys: Keys): Connection {
      const name = JSON.stringify([keys.key, keys.secret]);
      const connection = kept.get(name) ?? connect(keys);
      kept.delete(name);
      kept.set(name, connection);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return connection;
    },
  };
}

export type Connections = Awaited<ReturnType<typeof createConnections>>;

/** A rate limit, with its end in the exchange's time, ms, where that is known. */
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
