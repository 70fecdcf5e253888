import type { Urgency } from '../address-budget.ts';
import type { ExchangeError } from '../exchange.ts';

export type Params = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];

export interface Answer {
  result: unknown;
  /** The exchange's time, ms. */
  time: number;
}

/** What differs between the APIs of live exchanges. Calls have ccxt's names, such as `privateGetV5OrderRealtime`. */
export interface Protocol<Read extends string, Write extends string> {
  /** File of ccxt's client. */
  client: string;
  /** Returns the addresses that ccxt's client sends to. */
  addresses(url: string): object;
  /** Paths of the calls. */
  reads: Readonly<Record<Read, string>>;
  writes: Readonly<Record<Write, string>>;
  /** The call that places an order. One that only closes has `reduceOnly`. */
  orderCall: Write;
  /** The call that returns the exchange's time. */
  timeCall: Read;
  /** Codes with which a site turns away the keys of other sites, and a call that asks about a key. */
  foreignKey: { codes: readonly number[]; probe: Read };
  /** Returns the code in an answer: 0 for success, undefined without one. */
  codeOf(answer: unknown): number | undefined;
  /** Returns when a rate limit ends, ms of the exchange's time; undefined if the answer does not say. */
  limitEndOf(headers: object): number | undefined;
  /** Reads a successful answer; undefined for an unknown shape. `now` is the time of one that names none. */
  read(answer: unknown, call: Read | Write, now: number): Answer | undefined;
  /** Returns the meaning of a code. `write` says whether the call could change something: then an unknown outcome is `unclear`. */
  troubleOf(code: number, write: boolean): ExchangeError;
  /** Urgency of calls that are not plain reads. Orders are not here: their urgency depends on what they do. */
  urgency: Readonly<Partial<Record<Read | Write, Urgency>>>;
}
