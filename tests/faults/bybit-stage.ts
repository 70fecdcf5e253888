import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { MINUTE } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { startBybit } from '../support/bots/bybit/bybit-server.ts';
import { answerLost, doneBut, type Fault, instead, neverArrives, refused, truncated } from '../support/bots/bybit/faults.ts';
import { type Cruelty, KIND, type Venue } from '../support/bots/bybit/venue.ts';
import { BOTS, type CrashStage, keysOf, START } from './bot-crashes.ts';

/** Probability of a fault per kind of call while a candle is handled. */
const LIKELY = 0.05;
const WRONG: readonly Fault[] = [
  answerLost,
  neverArrives,
  doneBut(500, ''),
  instead(503, '<html></html>'),
  truncated,
  refused(10006, 'Too many visits!'),
];
const CALLS = ['order/create', 'order/realtime', 'execution/list', 'position/list'];

/** Probability of each cruelty for each account while a candle is handled, and of auto-deleveraging, which ends its trade. */
const CRUEL = 0.2;
const DELEVERAGED = 0.03;
/** Largest difference of the mark price from the last price, as a share of it. */
const APART = 0.003;

type Random = () => number;

/** A fake Bybit that loses answers and refuses calls. */
export const openBybitStage = (storm: boolean, random: Random): Promise<CrashStage> => openStage(storm, random, false);

/** A fake Bybit that also does what its documentation allows. Its cruelties may change the bots' results. */
export const openCruelStage = (storm: boolean, random: Random): Promise<CrashStage> => openStage(storm, random, storm);

/** Moves an account's market along a candle, with the mark price apart from the last price. */
function moveApart(venue: Venue, candle: Candle, random: Random): void {
  const factor = 1 + APART * (2 * random() - 1);
  const { open, high, low, close } = candle;
  venue.advanceApart(candle, { ...candle, open: open * factor, high: high * factor, low: low * factor, close: close * factor });
}

/** Draws what the exchange does to an account until the next candle. */
function beCruel(venue: Venue, random: Random): void {
  const happens = (): boolean => random() < CRUEL;
  Object.assign(venue.cruelty, {
    orderDelay: happens() ? random() * MINUTE : 0,
    hidesAccepted: happens(),
    rejectReason: happens() ? 'EC_NoImmediateQtyToFill' : null,
    executionDelay: happens() ? random() * 3 * MINUTE : 0,
    secondHalfDelay: happens() ? random() * 3 * MINUTE : 0,
  } satisfies Cruelty);
  if (happens()) venue.restart();
  if (random() < DELEVERAGED && venue.position()) venue.deleverage();
}

/** Creates the fake Bybit with one account per bot. It survives kills of the bots' process, and its market waits for them. */
async function openStage(storm: boolean, random: Random, isCruel: boolean): Promise<CrashStage> {
  const candles = readBundledCandles();
  let closed = START;
  let ahead = 0;
  const exchange = await startBybit({ now: () => (candles[closed]?.time ?? 0) + ahead, price: () => candles[closed]?.open ?? 0 });
  const venues = Array.from(
    { length: BOTS },
    (_, place) => exchange.open(keysOf(place).key.replace('key-', ''), { affiliateId: 77 }).venue,
  );

  /** Moves the market until this many candles are closed. Does nothing if it is already there. */
  function move(to: number): void {
    const closes = to > closed;
    for (; closed < to; closed++) {
      const candle = candles[closed];
      if (!candle) continue;
      for (const venue of venues) {
        venue.settleAccepted();
        if (isCruel) moveApart(venue, candle, random);
        else venue.advance(candle);
      }
    }
    if (!storm) return;
    if (isCruel) {
      for (const venue of venues) beCruel(venue, random);
      exchange.streams.release((messages) => [...messages, ...messages].sort(() => random() - 0.5));
      exchange.streams.hold();
      // A ban lasts for the rest of a candle, whatever the number of kills.
      if (closes && random() < LIKELY) exchange.address.ban();
      if (random() < LIKELY) exchange.streams.cut();
    }
    for (const call of CALLS) if (random() < LIKELY) exchange.fail(call, WRONG[Math.floor(random() * WRONG.length)] ?? neverArrives);
  }

  const conductor = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const given = JSON.parse(body) as { closed: number; ahead: number } | { calm: true };
    if ('calm' in given) {
      exchange.heal();
      exchange.streams.release();
      // Whatever the exchange has delayed is over by now.
      ahead += 10 * MINUTE;
      for (const { cruelty } of venues) Object.assign(cruelty, KIND);
    } else {
      ahead = given.ahead;
      move(given.closed);
    }
    response.end();
  });
  await new Promise<void>((listening) => conductor.listen(0, '127.0.0.1', listening));
  const orders = () => venues.flatMap((venue) => venue.orders);

  return {
    told: { bybit: { isCruel, url: exchange.url, conductor: `http://127.0.0.1:${(conductor.address() as AddressInfo).port}` } },
    filled: () => orders().filter(({ filled }) => filled > 0).length,
    faults(journal, held) {
      const rows = new Map(journal.map((row) => [row.client_id, row]));
      const sent = new Map(orders().map((order) => [order.orderLinkId, order]));
      const faults: string[] = [];
      for (const id of sent.keys()) if (!rows.has(id)) faults.push(`order ${id} is not in the journal`);
      for (const { client_id, filled } of journal)
        if (filled !== (sent.get(client_id)?.filled ?? 0)) faults.push(`journal and exchange disagree about order ${client_id}`);
      for (const { place, position } of held) {
        const real = venues[place]?.position();
        if (real && real.stop === null) faults.push(`the position of bot ${place} has no stop`);
        const same = real ? position?.side === real.side && position.quantity === real.quantity : position === null;
        if (!same) faults.push(`journal and exchange disagree about the position of bot ${place}`);
      }
      return faults;
    },
    async close() {
      conductor.closeAllConnections();
      await new Promise((done) => conductor.close(done));
      await exchange.close();
    },
  };
}
