import type { Db } from '#server/db/open.ts';
import type { Exchange, KeyFacts, Keys } from '#server/ports/exchange/exchange.ts';
import { quietExchange } from './quiet-exchange.ts';

/**
 * Presents the paper exchange as a live one: only the kind of money and the feed's speed differ. `factsOf` returns what the exchange reports about a key,
 * on top of what it reports about the demo key.
 */
export function liveExchange(db: Db, factsOf: (keys: Keys) => Partial<KeyFacts>): Exchange {
  const exchange = quietExchange(db);
  const demo = { key: 'paper-demo-key', secret: 'paper-demo-secret' };
  return {
    ...exchange,
    kind: 'bybit',
    paper: false,
    feed: { ...exchange.feed, speed: null },
    account: (keys, owner) => {
      const account = exchange.account(demo, owner);
      return { ...account, check: async () => ({ ...(await account.check()), ...factsOf(keys) }) };
    },
  };
}
