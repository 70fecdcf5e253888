import type { Db } from '#server/db/open.ts';
import { PERPETUAL, USUAL_FUNDING } from '#server/strategy/matching/perpetual.ts';
import type { Exchange } from '../exchange.ts';
import type { SimulatedFeed } from '../simulated-feed.ts';
import { demoKeyFacts } from './demo-keys.ts';
import { createPaperAccount } from './paper-account.ts';
import { createPaperBooks } from './paper-books.ts';

interface Options {
  db: Db;
  feed: SimulatedFeed;
  /** The rate of funding that falls due at a moment of the feed's time; by default always the same. */
  fundingAt?: (time: number) => number;
  /** Ends what the feed needs. */
  close?: () => Promise<void>;
}

export interface PaperExchange extends Exchange {
  readonly feed: SimulatedFeed;
}

/** The embedded exchange: fake money on a real market's candles, with the rules of a real exchange. */
export function createPaperExchange({ db, feed, fundingAt = () => USUAL_FUNDING, close = async () => undefined }: Options): PaperExchange {
  const books = createPaperBooks({ db, feed, fundingAt });
  const { quantityStep, priceStep, takerFee, makerFee } = PERPETUAL;
  return {
    kind: 'paper',
    paper: true,
    feed,
    steps: { quantity: quantityStep, price: priceStep, least: quantityStep },
    fees: { taker: takerFee, maker: makerFee },
    account: (keys, { botId, capital }) => createPaperAccount({ books, feed, facts: () => demoKeyFacts(keys), botId, capital }),
    close,
  };
}
