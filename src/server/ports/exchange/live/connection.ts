import type { Clock } from '#domain/clock.ts';
import { runOnce } from '#domain/run-once.ts';
import { createRecentMap } from '#server/recent-map.ts';
import type { AddressBudget } from '../address-budget.ts';
import type { Keys } from '../exchange.ts';
import { atUrl, type Ccxt, createClient, withKeys } from './ccxt.ts';
import { hasCode } from './errors.ts';
import { type ApiUrls, createHomeSearch } from './home-search.ts';
import type { Answer, Params, Protocol } from './protocol.ts';
import { createSender } from './send.ts';

/** Cached connections. */
const MAX_CACHED = 4096;

/** Calls with one key. They reject with ExchangeError, whose message never quotes the request. */
export interface Connection<Read extends string, Write extends string> {
  /** Returns the address of the API where the key is known. */
  home(): string;
  read(call: Read, params: Params): Promise<Answer>;
  write(call: Write, params: Params): Promise<Answer>;
}

interface Options<Read extends string, Write extends string> {
  protocol: Protocol<Read, Write>;
  /** Addresses of the API, the one in use first. A key that is unknown there may belong to another one. */
  urls: ApiUrls;
  /** Sent with every request. */
  headers?: Record<string, string>;
  clock: Clock;
  budget: AddressBudget;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience: { answer: number; limit: number };
}

/** Creates connections to an exchange through ccxt, which the first request loads. */
export function createConnections<Read extends string, Write extends string>({
  protocol: given,
  urls: [url, ...otherUrls],
  headers,
  clock,
  budget,
  patience,
}: Options<Read, Write>) {
  type One = Connection<Read, Write>;
  const protocol = given as Protocol<string, string>;
  const { foreignKey } = protocol;
  const cached = createRecentMap<string, One>(MAX_CACHED);
  const { now, updateClock, send } = createSender({ protocol, clock, budget, patience });
  const keyless = runOnce(() => createClient(protocol, { url, headers, timeout: patience.answer, now }));

  /** Connects a key. If the configured site does not know the key, searches for the site that does. A refused request changes nothing. */
  function connectKey(keys: Keys): One {
    let home = url;
    const clientAt = async (at: string): Promise<Ccxt> => {
      const client = withKeys(await keyless(), keys);
      return at === url ? client : atUrl(protocol, client, at);
    };
    const isKnownAt = async (other: string) =>
      send(await clientAt(other), foreignKey.probe, {}).then(
        () => true,
        () => false,
      );
    const findHome = createHomeSearch({ clock, urls: otherUrls, isKnownAt });
    async function sendHome(call: Read | Write, params: Params): Promise<Answer> {
      try {
        return await send(await clientAt(home), call, params);
      } catch (error) {
        const found = hasCode(error, ...foreignKey.codes) ? await findHome() : undefined;
        if (found === undefined) throw error;
        home = found;
        return send(await clientAt(found), call, params);
      }
    }
    return { home: () => home, read: sendHome, write: sendHome };
  }

  const sendKeyless = async (call: Read | Write, params: Params): Promise<Answer> => send(await keyless(), call, params);

  return {
    /** Returns the exchange's time, ms. */
    now,
    updateClock,
    public: { home: () => url, read: sendKeyless, write: sendKeyless } satisfies One,
    /** Returns the cached connection of a key, or a new one. */
    of(keys: Keys): One {
      const name = JSON.stringify([keys.key, keys.secret, keys.passphrase]);
      const connection = cached.get(name) ?? connectKey(keys);
      cached.set(name, connection);
      return connection;
    },
  };
}

/** What the public market needs of the connections. */
export interface MarketConnections<Read extends string, Write extends string> {
  now(): number;
  updateClock(time: number): void;
  readonly public: Connection<Read, Write>;
}
