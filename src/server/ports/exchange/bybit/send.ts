import { type Clock, SECOND } from '#domain/clock.ts';
import type { AddressBudget, Urgency } from '../address-budget.ts';
import { ExchangeError } from '../exchange.ts';
import type { Ccxt, Params, Read, Write } from './ccxt.ts';
import { AddressBlocked, type Answer, Limited, sendOnce } from './request.ts';

/** First backoff after a rate limit without an end, doubled each time, ms. */
const FIRST_BACKOFF = 250;

const URGENCY: Partial<Record<Read | Write, Urgency>> = {
  privatePostV5PositionTradingStop: 'protect',
  privatePostV5OrderCancel: 'exit',
  // Every bot waits for the candle, and those that close a position too.
  publicGetV5MarketKline: 'exit',
  publicGetV5MarketInstrumentsInfo: 'exit',
  publicGetV5MarketRiskLimit: 'exit',
  privatePostV5AccountSetMarginMode: 'entry',
  privatePostV5PositionSwitchMode: 'entry',
  privatePostV5PositionSetLeverage: 'entry',
};

function urgencyOf(call: Read | Write, { reduceOnly }: Params): Urgency {
  if (call === 'privatePostV5OrderCreate') return reduceOnly === true ? 'exit' : 'entry';
  return URGENCY[call] ?? 'look';
}

interface Options {
  clock: Clock;
  budget: AddressBudget;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience: { answer: number; limit: number };
}

/** Creates the sender of all requests. They share one offset to the exchange's time. */
export function createSender({ clock, budget, patience }: Options) {
  /** The exchange's time minus the server's, ms. */
  let ahead = 0;
  const now = () => Math.round(clock() + ahead);
  const timeout = patience.answer;

  /** Sends a request once the address may send one. */
  async function sendWhenDue(client: Ccxt, call: Read | Write, params: Params, write: boolean, urgency: Urgency): Promise<Answer> {
    await budget.take(urgency);
    try {
      return await sendOnce(client, { call, params, write, timeout });
    } catch (error) {
      if (error instanceof AddressBlocked) await budget.block();
      throw error;
    }
  }

  async function syncClock(client: Ccxt, urgency: Urgency): Promise<void> {
    const { time } = await sendWhenDue(client, 'publicGetV5MarketTime', {}, false, urgency);
    ahead = time - clock();
  }

  /** Sends a request, and retries after a rate limit or one wrong clock. Both are refusals, so the request changed nothing. */
  async function send(client: Ccxt, call: Read | Write, params: Params, write: boolean): Promise<Answer> {
    const urgency = urgencyOf(call, params);
    let isSynced = false;
    let left = patience.limit;
    for (let tries = 0; ; tries++) {
      try {
        return await sendWhenDue(client, call, params, write, urgency);
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

  return {
    /** Returns the exchange's time, ms. */
    now,
    send,
    /** Corrects the clock offset from an answer. Ignores differences that a slow answer explains. */
    updateClock(time: number): void {
      if (Math.abs(time - now()) > SECOND) ahead = time - clock();
    },
  };
}
