import * as z from 'zod/mini';
import { ExchangeError } from '../exchange.ts';
import { type Ccxt, type Params, type Read, Refused, request, type Write } from './ccxt.ts';
import { noAnswer, troubleOf } from './trouble.ts';

const envelope = z.object({ retCode: z.literal(0), result: z.record(z.string(), z.unknown()), time: z.number() });

export interface Answer {
  result: unknown;
  /** The exchange's time, ms. */
  time: number;
}

/** A rate limit. `ends` is in ms of the exchange's time, undefined if unknown. */
export class Limited extends ExchangeError {
  constructor(
    readonly ends: number | undefined,
    { message, code }: Pick<ExchangeError, 'message' | 'code'> = troubleOf(10006, false),
  ) {
    super('rate-limit', message, code);
  }
}

/** HTTP 403: Bybit blocks our network address. The request changed nothing. */
export class AddressBlocked extends ExchangeError {
  constructor() {
    super('rate-limit', 'The exchange blocks our network address.');
  }
}

interface Request {
  call: Read | Write;
  params: Params;
  /** Whether the call can change something. */
  write: boolean;
  /** ms. */
  timeout: number;
}

/** Sends a request once. Replaces ccxt's errors, because they quote the request. */
export async function sendOnce(client: Ccxt, { call, params, write, timeout }: Request): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  // Before the timer starts: loading is not part of the answer's time.
  await client.loadFetchImplementation();
  try {
    // ccxt's own timeout ends when an answer begins.
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(noAnswer(write, { how: 'no answer in time' })), timeout);
    });
    const answer = z.safeParse(envelope, await Promise.race([request(client, call, params), late]));
    if (!answer.success) throw noAnswer(write, { how: 'its answer cannot be read' });
    return answer.data;
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    if (!(error instanceof Refused)) throw noAnswer(write, { how: 'no connection' });
    if (error.status === 403) throw new AddressBlocked();
    if (error.status === 429) throw new Limited(error.limitEnds);
    if (error.code === undefined || error.code === 0 || error.status >= 500)
      throw noAnswer(write, { how: error.status < 400 ? 'its answer cannot be read' : `HTTP ${error.status}` });
    const trouble = troubleOf(error.code, write);
    throw trouble.trouble === 'rate-limit' ? new Limited(error.limitEnds, trouble) : trouble;
  } finally {
    clearTimeout(timer);
  }
}
