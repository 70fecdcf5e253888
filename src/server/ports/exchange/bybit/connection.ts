import { type Clock, SECOND } from '#domain/clock.ts';
import type { AddressBudget, Urgency } from '../address-budget.ts';
import { ExchangeError, type Keys } from '../exchange.ts';
import { type Ccxt, createClient, loadCcxt, type Params, type Read, type Write } from './ccxt.ts';
import { AddressBlocked, type Answer, Limited, sendOnce } from './request.ts';

/** Cached connections. Creating one is slow. */
const MAX_CACHED = 256;
/** First backoff after a rate limit without an end, doubled each time, ms. */
const FIRST_BACKOFF = 250;

/** Calls with one key. They reject with ExchangeError, whose message never quotes the request. */
export interface Connection {
  read(call: Read, params: Params): Promise<Answer>;
  write(call: Write, params: Params): Promise<Answer>;
}

const URGENCY: Partial<Record<Read | Write, Urgency>> = {
  privatePostV5PositionTradingStop: 'protect',
  privatePostV5OrderCancel: 'exit',
  // Every bot waits for the candle, and those that close a position too.
  publicGetV5MarketKline: 'exit',
  privatePostV5AccountSetMarginMode: 'entry',
  privatePostV5PositionSwitchMode: 'entry',
  privatePostV5PositionSetLeverage: 'entry',
};

function urgencyOf(call: Read | Write, { reduceOnly }: Params): Urgency {
  if (call === 'privatePostV5OrderCreate') return reduceOnly === true ? 'exit' : 'entry';
  return URGENCY[call] ?? 'look';
}

interface Options {
  testnet: boolean;
  baseUrl?: string;
  clock: Clock;
  budget: AddressBudget;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience: { answer: number; limit: number };
}

/** Creates connections to Bybit through ccxt. All share one offset to the exchange's time. */
export async function createConnections({ testnet, baseUrl, clock, budget, patience }: Options) {
  const Bybit = await loadCcxt();
  const cached = new Map<string, Connection>();
  /** The exchange's time minus the server's, ms. */
  let ahead = 0;
  const now = () => Math.round(clock() + ahead);
  const timeout = patience.answer;

  /** Sends a request once the address may send one. */
  async function send(client: Ccxt, call: Read | Write, params: Params, write: boolean, urgency: Urgency): Promise<Answer> {
    await budget.take(urgency);
    try {
      return await sendOnce(client, { call, params, write, timeout });
    } catch (error) {
      if (error instanceof AddressBlocked) await budget.block();
      throw error;
    }
  }

  async function syncClock(client: Ccxt, urgency: Urgency): Promise<void> {
    const { time } = await send(client, 'publicGetV5MarketTime', {}, false, urgency);
    ahead = time - clock();
  }

  /** Sends a request, and retries after a rate limit or one wrong clock. Both are refusals, so the request changed nothing. */
  async function sendWithRetry(client: Ccxt, call: Read | Write, params: Params, write: boolean): Promise<Answer> {
    const urgency = urgencyOf(call, params);
    let isSynced = false;
    let left = patience.limit;
    for (let tries = 0; ; tries++) {
      try {
        return await send(client, call, params, write, urgency);
      } catch (error) {
        if (error instanceof Limited) {
          const wait = Math.max(FIRST_BACKOFF * 2 ** tries, error.ends === undefined ? 0 : error.ends - now());
          if (wait > left) throw error;
          left -= wait;
          await new Promise((resolve) => setTimeout(resolve, wait));
        } else if (error instanceof ExchangeError && error.trouble === 'clock' && !isSynced) {
          isSynced = true;
          await syncClock(client, urgency);
        } else throw error;
      }
    }
  }

  function connect(keys: Keys | undefined): Connection {
    const client = createClient(Bybit, keys, { testnet, baseUrl, timeout, now });
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
