import { type Measurements, measure, secondsSince } from '#server/metrics/measurements.ts';
import { inSpan } from '#server/tracing/spans.ts';
import { ExchangeError } from '../exchange.ts';
import { type Ccxt, Refused, request } from './ccxt.ts';
import { noAnswer } from './errors.ts';
import type { Answer, Params, Protocol } from './protocol.ts';

/** A rate limit. `ends` is in ms of the exchange's time, undefined if unknown. */
export class Limited extends ExchangeError {
  constructor(
    readonly ends: number | undefined,
    { message, code }: Partial<Pick<ExchangeError, 'message' | 'code'>> = {},
  ) {
    super('rate-limit', message ?? 'The exchange is limiting our requests.', code);
  }
}

/** HTTP 403 without a code: the exchange blocks our network address. The request changed nothing. */
export class AddressBlocked extends ExchangeError {
  constructor() {
    super('rate-limit', 'The exchange blocks our network address.');
  }
}

interface Request {
  call: string;
  params: Params;
  now: () => number;
  /** ms. */
  timeout: number;
}

/** Sends a request once, measures and traces it. */
export async function sendOnce(protocol: Protocol<string, string>, client: Ccxt, request: Request): Promise<Answer> {
  const began = performance.now();
  const count = (outcome: Measurements['exchangeCall']['outcome']) =>
    measure('exchangeCall', { exchange: protocol.client, outcome, seconds: secondsSince(began) });
  try {
    const work = () => sendAndRead(protocol, client, request);
    const answer = await inSpan(`${protocol.client} ${request.call}`, { kind: 'client' }, work);
    count('ok');
    return answer;
  } catch (error) {
    if (error instanceof ExchangeError) count(error.trouble);
    throw error;
  }
}

/** Sends a request once. Replaces ccxt's errors, because they quote the request. */
async function sendAndRead(protocol: Protocol<string, string>, client: Ccxt, { call, params, now, timeout }: Request): Promise<Answer> {
  const write = call in protocol.writes;
  let timer: NodeJS.Timeout | undefined;
  try {
    // ccxt's own timeout ends when an answer begins.
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(noAnswer(write, { how: 'no answer in time' })), timeout);
    });
    const answer = protocol.read(await Promise.race([request(protocol, client, call, params), late]), call, now());
    if (!answer) throw noAnswer(write, { how: 'its answer cannot be read' });
    return answer;
  } catch (error) {
    if (error instanceof ExchangeError) throw error;
    if (!(error instanceof Refused)) throw noAnswer(write, { how: 'no connection' });
    if (error.status === 403 && error.code === undefined) throw new AddressBlocked();
    if (error.status === 401 && error.code === undefined)
      throw new ExchangeError('invalid-key', 'The exchange does not accept this API key.');
    if (error.status === 429) throw new Limited(error.limitEnds);
    if (error.code === undefined || error.code === 0 || error.status >= 500)
      throw noAnswer(write, { how: error.status < 400 ? 'its answer cannot be read' : `HTTP ${error.status}` });
    const trouble = protocol.troubleOf(error.code, write);
    throw trouble.trouble === 'rate-limit' ? new Limited(error.limitEnds, trouble) : trouble;
  } finally {
    clearTimeout(timer);
  }
}
