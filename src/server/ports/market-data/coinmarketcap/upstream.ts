import * as z from 'zod/mini';
import { type Clock, DAY, MINUTE, SECOND } from '#domain/clock.ts';
import { measureCall } from '#server/metrics/measurements.ts';
import { fetchText } from '#server/ports/fetch-text.ts';
import { retryAfter } from '#server/ports/retry-after.ts';
import { TryLater, Unknown } from '../last-good.ts';
import type { MarketLog } from '../market-data.ts';
import { complaint } from '../read-rows.ts';
import type { Credits, Price } from './credits.ts';

/** Total timeout of a request, ms. */
export const REQUEST_TIMEOUT_MS = 8000;
/** Bytes of an answer. The largest, the names of all coins, has about two million. */
const MAX_BYTES = 32_000_000;
/** Backoff of all calls after a 429 without `Retry-After`, ms; doubles with each further 429. */
const FIRST_REST = 30_000;
const LAST_REST = 15 * MINUTE;
/** Backoff after a rejected key or a plan without the endpoint, which a quick retry cannot fix, ms. */
const REFUSED_REST = 10 * MINUTE;

export interface Answer {
  data: unknown;
  /** When the provider answered, ms UTC. */
  asOf: number;
}

const isUnknown = (error: unknown): boolean => error instanceof Unknown;

export interface Upstream {
  /** Rejects with `Unknown`, `TryLater`, or an error with the reason. No message contains the key. */
  ask(path: string, query: Record<string, string>, price: Price): Promise<Answer>;
  logTo(log: MarketLog): void;
}

interface Options {
  key: string;
  baseUrl: string;
  clock: Clock;
  /** Budget that pays for calls. */
  credits: Credits;
  patience?: number;
}

const wholeOrNone = z._default(z.nullable(z.number()), null);
const envelope = z.object({
  status: z.object({ timestamp: z.optional(z.string()), credit_count: wholeOrNone, error_code: z.optional(z.unknown()) }),
  data: z.unknown(),
});
const refusal = z.object({
  status: z.object({ error_code: z.optional(z.unknown()), error_message: z.optional(z.nullable(z.string())), credit_count: wholeOrNone }),
});

/** Calls CoinMarketCap's API with a timeout, backoff, credit counting and validation of the envelope. */
export function createUpstream({ key, baseUrl, clock, credits, patience = REQUEST_TIMEOUT_MS }: Options): Upstream {
  const base = baseUrl.replace(/\/+$/, '');
  const today = { day: 0, sum: 0 };
  let log: MarketLog | undefined;
  let restUntil = Number.NEGATIVE_INFINITY;
  let rests = 0;

  /** Removes the key, which the provider's messages might quote. */
  const safe = (text: string) => text.replaceAll(key, '[key]').slice(0, 200);

  function count(path: string, spent: number | null, ms: number): void {
    const day = Math.floor(clock() / DAY);
    if (today.day !== day) Object.assign(today, { day, sum: 0 });
    today.sum += spent ?? 0;
    log?.info({ path, credits: spent ?? 0, creditsToday: today.sum, ms }, 'CoinMarketCap answered');
  }

  function refused(path: string, status: number, headers: Headers, body: unknown): Error {
    const said = z.safeParse(refusal, body);
    const words = said.success ? safe(`: ${said.data.status.error_message ?? ''} (code ${said.data.status.error_code})`) : '';
    const message = `${path} answered ${status}${words}`;
    if (status === 400) return new Unknown(message);
    if (status === 429) {
      const asked = retryAfter(headers, clock());
      const rest = asked === undefined ? Math.min(FIRST_REST * 2 ** rests, LAST_REST) : Math.max(SECOND, asked);
      rests++;
      restUntil = clock() + rest;
      return new TryLater(message, rest);
    }
    return [401, 402, 403].includes(status) ? new TryLater(message, REFUSED_REST) : new Error(message);
  }

  async function fetched(path: string, query: Record<string, string>): Promise<{ response: Response; text: string }> {
    try {
      const headers = { 'x-cmc_pro_api_key': key, accept: 'application/json' };
      return await fetchText(`${base}${path}?${new URLSearchParams(query)}`, { headers, patience, maxBytes: MAX_BYTES });
    } catch (error) {
      throw new Error(`${path} gave no answer: ${safe(reasonOf(error, patience))}`);
    }
  }

  /** Sends a call and reads the envelope of its answer. */
  async function sendAndRead(path: string, query: Record<string, string>): Promise<z.output<typeof envelope>> {
    const { response, text } = await fetched(path, query);
    const body = parsed(text);
    if (!response.ok) throw refused(path, response.status, response.headers, body);
    if (body === undefined) throw new Error(`${path} answered JSON that is cut off or malformed (${text.length} characters)`);
    const read = z.safeParse(envelope, body);
    if (!read.success) throw new Error(`${path} answered in another shape: ${safe(complaint(read.error))}`);
    return read.data;
  }

  return {
    logTo(to) {
      log = to;
      credits.onSpent((of) => to.warn({ of }, 'no requests to CoinMarketCap until midnight UTC: the daily credits are spent'));
    },
    async ask(path, query, price) {
      const now = clock();
      if (now < restUntil) throw new TryLater(`${path} was not asked: the provider limits our requests`, restUntil - now);
      await credits.pay(price);
      const { status, data } = await measureCall('coinmarketcap', () => sendAndRead(path, query), isUnknown);
      rests = 0;
      count(path, status.credit_count, clock() - now);
      const more = (status.credit_count ?? 0) - price.credits;
      // Count the credits beyond the expected price. The answer is already paid for, so ignore the limit.
      if (more > 0) await credits.pay({ of: price.of, credits: more }).catch(() => undefined);
      const time = Date.parse(status.timestamp ?? '');
      return { data, asOf: Number.isNaN(time) ? now : time };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown, patience: number): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return `nothing came within ${patience} ms`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
