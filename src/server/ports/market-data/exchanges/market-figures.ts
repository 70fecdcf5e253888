import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import { BITCOIN } from '#domain/market/coin.ts';
import type { BtcFeed } from '../demo-btc.ts';
import { type Held, lastGood, type Origin, TryLater } from '../last-good.ts';
import type { PriceSource } from '../market-data.ts';
import { followFeed } from './live-bitcoin.ts';
import { moneyOf } from './money.ts';
import { type CoinFigures, figuresOf } from './prices.ts';
import type { StoredFigures } from './stored-figures.ts';
import type { VenueTickers } from './venue-tickers.ts';

/** Default of `wait`, ms. */
const WAIT = 700;

interface Parts {
  venues: readonly VenueTickers[];
  clock: Clock;
  /** How long figures are shown before the exchanges are asked again, ms. */
  lifetime: number;
  /** The bots' prices. */
  btc: BtcFeed | undefined;
  /** How long an answer waits for further exchanges once there are figures to show, ms. */
  wait?: number | undefined;
}

/** Joins the tickers of all exchanges. An exchange that is slow or away joins with its last answer while that is fresh. */
export function createMarketFigures({ venues, clock, lifetime, btc, wait = WAIT }: Parts): Origin<Held<StoredFigures>> {
  let shownAt = Number.NEGATIVE_INFINITY;

  function join(): StoredFigures | undefined {
    const answers = venues.flatMap((venue) => venue.last() ?? []);
    const {
      coins,
      venues: used,
      atPar,
    } = figuresOf(
      answers.flatMap(({ quoted }) => quoted),
      clock(),
    );
    if (coins.size === 0) return undefined;
    const trusted = answers.flatMap(({ quoted }) => quoted).filter(({ venue }) => used.includes(venue));
    const money = moneyOf(trusted);
    const nameOf = new Map(venues.map(({ client: { venue } }) => [venue.id, venue.name]));
    const sourceOf = ({ venue, price, at }: CoinFigures['sources'][number]): PriceSource => ({
      name: nameOf.get(venue) ?? venue,
      price,
      asOf: new Date(at).toISOString(),
    });
    return {
      asOf: Math.max(...venues.filter(({ client }) => used.includes(client.venue.id)).map((venue) => venue.last()?.at ?? 0)),
      venues: venues.flatMap(({ client: { venue } }) => (used.includes(venue.id) ? [venue.name] : [])),
      atPar,
      money: { ...money, venues: money.venues.map((id) => nameOf.get(id) ?? id) },
      coins: [...coins].map(([id, { sources, ...coin }]) => [id, { ...coin, sources: sources.map(sourceOf) }]),
    };
  }

  async function ask(): Promise<StoredFigures> {
    // An exchange that hangs or fails delays no further answer: it joins once it has answered.
    const prompt = venues.filter((venue) => !venue.isFailing() && !venue.isAsked());
    const flights = venues.map((venue) => venue.renew());
    const all = Promise.all(prompt.length > 0 ? prompt.map((venue) => venue.renew()) : flights);
    if (!join()) await Promise.race([Promise.all(flights), firstAnswer(flights)]);
    await Promise.race([all, pause(wait, undefined, { ref: false })]);
    const figures = join();
    const isNewer = figures !== undefined && figures.asOf > shownAt;
    if (!figures || (!isNewer && venues.every((venue) => venue.isFailing()))) throw noAnswer();
    shownAt = figures.asOf;
    return followFeed(figures, btc, BITCOIN);
  }

  function noAnswer(): TryLater {
    const soonest = Math.min(...venues.map(({ client }) => client.left()));
    return new TryLater('no exchange answered', Math.min(Math.max(soonest, SECOND), MINUTE));
  }

  // Each exchange has reported why it failed.
  return lastGood({ ask, lifetime, clock, onFailure: () => undefined });
}

/** Resolves when one of them resolves with true; never otherwise. */
const firstAnswer = (flights: readonly Promise<boolean>[]): Promise<void> =>
  new Promise((resolve) => {
    for (const flight of flights) void flight.then((answered) => answered && resolve());
  });
