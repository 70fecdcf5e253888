import * as z from 'zod/mini';
import { PRODUCT } from '#domain/product.ts';
import type { Keys } from '../exchange.ts';

const READS = [
  'publicGetV5MarketTime',
  'publicGetV5MarketKline',
  'privateGetV5UserQueryApi',
  'privateGetV5UserAffCustomerInfo',
  'privateGetV5AccountInfo',
  'privateGetV5AccountWalletBalance',
  'privateGetV5PositionList',
  'privateGetV5OrderRealtime',
  'privateGetV5OrderHistory',
  'privateGetV5ExecutionList',
] as const;
const WRITES = [
  'privatePostV5AccountSetMarginMode',
  'privatePostV5PositionSwitchMode',
  'privatePostV5PositionSetLeverage',
  'privatePostV5PositionTradingStop',
  'privatePostV5OrderCreate',
  'privatePostV5OrderCancel',
] as const;

export type Read = (typeof READS)[number];
export type Write = (typeof WRITES)[number];
export type Params = Record<string, string | number | boolean>;

/** The parts of ccxt in use: one method per signed call, its rate limit, and two hooks. */
export type Ccxt = Record<Read | Write, (params: Params) => Promise<unknown>> & {
  urls: { api: unknown };
  setSandboxMode(on: boolean): void;
  loadFetchImplementation(): Promise<void>;
  nonce: () => number;
  handleErrors: (status: number, reason: string, url: string, method: string, headers: object, body: string, answer: unknown) => void;
};
export type CcxtClass = new (options: object) => Ccxt;

/**
 * Pause per fifth of a call, ms. ccxt's own pace is too slow: it shares one limit between calls that Bybit counts separately.
 * Bybit still refuses what comes too fast.
 */
const PACE = 4;

const refusal = z.object({ retCode: z.number() });

/** Bybit answered with an error. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: number | undefined,
    /** When the rate limit ends, ms of the exchange's time. */
    readonly limitEnds: number | undefined,
  ) {
    super('refused');
  }
}

interface ClientOptions {
  testnet: boolean;
  baseUrl: string | undefined;
  /** ms. */
  timeout: number;
  /** The exchange's time, ms. */
  now: () => number;
}

/** Loads ccxt's client of Bybit, which only this file does. */
export async function loadCcxt(): Promise<CcxtClass> {
  // The package's index would load a hundred exchanges.
  const file = new URL('./src/bybit.js', import.meta.resolve('ccxt')).href;
  const { default: Bybit } = (await import(/* @vite-ignore */ file)) as { default: CcxtClass };
  return Bybit;
}

/** Creates the client of a key, or of no key. */
export function createClient(Bybit: CcxtClass, keys: Keys | undefined, { testnet, baseUrl, timeout, now }: ClientOptions): Ccxt {
  const client = new Bybit({
    ...(keys && { apiKey: keys.key, secret: keys.secret }),
    timeout,
    rateLimit: PACE,
    userAgent: PRODUCT,
    options: { brokerId: '' },
  });
  if (testnet) client.setSandboxMode(true);
  if (baseUrl !== undefined) client.urls.api = { public: baseUrl, private: baseUrl };
  client.nonce = now;
  client.handleErrors = (status, _reason, _url, _method, headers, _body, answer) => {
    const read = z.safeParse(refusal, answer);
    const code = read.success ? read.data.retCode : undefined;
    if (code !== 0 || status >= 400) throw new Refused(status, code, limitEnd(headers));
  };
  return client;
}

function limitEnd(headers: object): number | undefined {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-bapi-limit-reset-timestamp') ?? [];
  const time = Number(value);
  return Number.isFinite(time) && time > 0 ? time : undefined;
}
