import type { Db, Tx } from '#server/db/open.ts';
import { PERPETUAL, USUAL_FUNDING } from '#server/strategy/matching/perpetual.ts';
import { oneTier } from '#server/strategy/sizing.ts';
import type { Exchange } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import { demoKeyFacts } from './demo-keys.ts';
import { createPaperAccount } from './paper-account.ts';
import { createPaperBooks } from './paper-books.ts';

interface Options {
  db: Db;
  feed: SimulatedFeed;
  /** Returns the funding rate that is due at a time of the feed; constant by default. */
  fundingAt?: (time: number) => number;
  /** Throws, in a transaction that changes accounts, if they belong to another feed by now. */
  guard?: (tx: Tx) => Promise<void>;
  /** Figures of the market whose live prices the feed follows. */
  perpetual?: Exchange['perpetual'];
  /** Closes the feed. */
  close?: () => Promise<void>;
}

export interface PaperExchange extends Exchange {
  readonly feed: SimulatedFeed;
}

const NOTHING = async () => undefined;

/** Creates the embedded exchange: paper money on a real market's candles, with a real exchange's rules. */
export function createPaperExchange({
  db,
  feed,
  fundingAt = () => USUAL_FUNDING,
  guard = NOTHING,
  perpetual,
  close = NOTHING,
}: Options): PaperExchange {
  const books = createPaperBooks({ db, feed, fundingAt, guard });
  const { quantityStep, priceStep, maintenance } = PERPETUAL;
  return {
    kind: 'paper',
    paper: true,
    feed,
    perpetual,
    terms: async () => ({ quantity: quantityStep, price: priceStep, least: quantityStep, tiers: oneTier(maintenance) }),
    account: (keys, { botId, capital }) => createPaperAccount({ books, feed, facts: () => demoKeyFacts(keys), botId, capital }),
    close,
  };
}
