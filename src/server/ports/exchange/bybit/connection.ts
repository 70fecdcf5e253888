import type { Clock } from '#domain/clock.ts';
import type { AddressBudget } from '../address-budget.ts';
import type { Keys } from '../exchange.ts';
import { atUrl, type Ccxt, createClient, loadCcxt, type Params, type Read, type Write, withKeys } from './ccxt.ts';
import { type ApiUrls, createHomeSearch } from './hosts.ts';
import type { Answer } from './request.ts';
import { createSender } from './send.ts';
import { hasCode } from './trouble.ts';

/** Cached connections. */
const MAX_CACHED = 4096;
/** Code of a key that this site does not know. */
const UNKNOWN_KEY = 10003;

/** Calls with one key. They reject with ExchangeError, whose message never quotes the request. */
export interface Connection {
  /** Returns the address of the API where the key is known. */
  home(): string;
  read(call: Read, params: Params): Promise<Answer>;
  write(call: Write, params: Params): Promise<Answer>;
}

interface Options {
  /** Addresses of the API, the one in use first. A key that is unknown there may belong to another one. */
  urls: ApiUrls;
  clock: Clock;
  budget: AddressBudget;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience: { answer: number; limit: number };
}

/** Creates connections to Bybit through ccxt. */
export async function createConnections({ urls: [url, ...otherUrls], clock, budget, patience }: Options) {
  const cached = new Map<string, Connection>();
  const { now, updateClock, send } = createSender({ clock, budget, patience });
  const keyless = createClient(await loadCcxt(), { url, timeout: patience.answer, now });

  /** Connects a key. If its site is another one than the setting's, its first refusal starts the search. A refusal changes nothing. */
  function connectKey(keys: Keys): Connection {
    let client = withKeys(keyless, keys);
    let home = url;
    const isKnownAt = (other: string) =>
      send(atUrl(client, other), 'privateGetV5UserQueryApi', {}, false).then(
        () => true,
        () => false,
      );
    const findHome = createHomeSearch({ clock, urls: otherUrls, isKnownAt });
    async function sendHome(call: Read | Write, params: Params, write: boolean): Promise<Answer> {
      try {
        return await send(client, call, params, write);
      } catch (error) {
        const found = hasCode(error, UNKNOWN_KEY) ? await findHome() : undefined;
        if (found === undefined) throw error;
        home = found;
        client = atUrl(client, found);
        return send(client, call, params, write);
      }
    }
    return {
      home: () => home,
      read: (call, params) => sendHome(call, params, false),
      write: (call, params) => sendHome(call, params, true),
    };
  }

  const connect = (client: Ccxt): Connection => ({
    home: () => url,
    read: (call, params) => send(client, call, params, false),
    write: (call, params) => send(client, call, params, true),
  });

  return {
    /** Returns the exchange's time, ms. */
    now,
    updateClock,
    public: connect(keyless),
    /** Returns the cached connection of a key, or a new one. */
    of(keys: Keys): Connection {
      const name = JSON.stringify([keys.key, keys.secret]);
      const connection = cached.get(name) ?? connectKey(keys);
      cached.delete(name);
      cached.set(name, connection);
      const [oldest] = cached.keys();
      if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest);
      return connection;
    },
  };
}

export type Connections = Awaited<ReturnType<typeof createConnections>>;
