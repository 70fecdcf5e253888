import { type Clock, SECOND } from '#domain/clock.ts';
import type { AddressBudget, Urgency } from '../address-budget.ts';
import { ExchangeError } from '../exchange.ts';
import type { Ccxt } from './ccxt.ts';
import type { Answer, Params, Protocol } from './protocol.ts';
import { AddressBlocked, Limited, sendOnce } from './request.ts';

/** First backoff after a rate limit without an end, doubled each time, ms. */
const FIRST_BACKOFF = 250;

interface Options {
  protocol: Protocol<string, string>;
  clock: Clock;
  budget: AddressBudget;
  /** Timeout of a request, and the longest wait for a rate limit, ms. */
  patience: { answer: number; limit: number };
}

function urgencyOf({ orderCall, urgency }: Protocol<string, string>, call: string, params: Params): Urgency {
  if (call === orderCall) return 'reduceOnly' in params && params.reduceOnly === true ? 'exit' : 'entry';
  return urgency[call] ?? 'look';
}

/** Creates the sender of all requests. They share one offset to the exchange's time. */
export function createSender({ protocol, clock, budget, patience }: Options) {
  /** The exchange's time minus the server's, ms. */
  let ahead = 0;
  const now = () => Math.round(clock() + ahead);
  const timeout = patience.answer;

  /** Sends a request once the address may send one. */
  async function sendWhenDue(client: Ccxt, call: string, params: Params, urgency: Urgency): Promise<Answer> {
    await budget.take(urgency);
    try {
      return await sendOnce(protocol, client, { call, params, now, timeout });
    } catch (error) {
      if (error instanceof AddressBlocked) await budget.block();
      throw error;
    }
  }

  async function syncClock(client: Ccxt, urgency: Urgency): Promise<void> {
    const { time } = await sendWhenDue(client, protocol.timeCall, {}, urgency);
    ahead = time - clock();
  }

  /** Sends a request, and retries after a rate limit or one wrong clock. Both are refusals, so the request changed nothing. */
  async function send(client: Ccxt, call: string, params: Params): Promise<Answer> {
    const urgency = urgencyOf(protocol, call, params);
    let isSynced = false;
    let left = patience.limit;
    for (let tries = 0; ; tries++) {
      try {
        return await sendWhenDue(client, call, params, urgency);
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
