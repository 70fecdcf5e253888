import * as z from 'zod/mini';
import { PRODUCT } from '#domain/product.ts';
import type { Keys } from '../exchange.ts';

/** The calls in use, by ccxt's names. */
const READS = {
  publicGetV5MarketTime: 'v5/market/time',
  publicGetV5MarketKline: 'v5/market/kline',
  publicGetV5MarketInstrumentsInfo: 'v5/market/instruments-info',
  publicGetV5MarketRiskLimit: 'v5/market/risk-limit',
  privateGetV5UserQueryApi: 'v5/user/query-api',
  privateGetV5UserAffCustomerInfo: 'v5/user/aff-customer-info',
  privateGetV5AccountInfo: 'v5/account/info',
  privateGetV5AccountWalletBalance: 'v5/account/wallet-balance',
  privateGetV5PositionList: 'v5/position/list',
  privateGetV5OrderRealtime: 'v5/order/realtime',
  privateGetV5OrderHistory: 'v5/order/history',
  privateGetV5ExecutionList: 'v5/execution/list',
} as const;
const WRITES = {
  privatePostV5AccountSetMarginMode: 'v5/account/set-margin-mode',
  privatePostV5PositionSwitchMode: 'v5/position/switch-mode',
  privatePostV5PositionSetLeverage: 'v5/position/set-leverage',
  privatePostV5PositionTradingStop: 'v5/position/trading-stop',
  privatePostV5OrderCreate: 'v5/order/create',
  privatePostV5OrderCancel: 'v5/order/cancel',
} as const;
const CALLS = { ...READS, ...WRITES };

export type Read = keyof typeof READS;
export type Write = keyof typeof WRITES;
export type Params = Record<string, string | number | boolean>;

/** The parts of ccxt in use: signed requests, and two hooks. */
export interface Ccxt {
  apiKey: string;
  secret: string;
  urls: { api: unknown };
  loadFetchImplementation(): Promise<void>;
  request(path: string, api: 'public' | 'private', method: 'GET' | 'POST', params: Params): Promise<unknown>;
  nonce: () => number;
  handleErrors: (status: number, reason: string, url: string, method: string, headers: object, body: string, answer: unknown) => void;
}
export type CcxtClass = new (options: object) => Ccxt;

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
  /** Address of the API. */
  url: string;
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

/** Creates a client without a key. It does not pace requests, because the address's budget does. */
export function createClient(Bybit: CcxtClass, { url, timeout, now }: ClientOptions): Ccxt {
  const client = new Bybit({ timeout, enableRateLimit: false, userAgent: PRODUCT, options: { brokerId: '' } });
  client.urls.api = addressesOf(url);
  client.nonce = now;
  client.handleErrors = (status, _reason, _url, _method, headers, _body, answer) => {
    const read = z.safeParse(refusal, answer);
    const code = read.success ? read.data.retCode : undefined;
    if (code !== 0 || status >= 400) throw new Refused(status, code, limitEnd(headers));
  };
  return client;
}

const addressesOf = (url: string) => ({ public: url, private: url });

/** Returns the same client for another address of the API. */
export const atUrl = (client: Ccxt, url: string): Ccxt =>
  Object.assign(Object.create(client), { urls: { ...client.urls, api: addressesOf(url) } }) as Ccxt;

/** Returns the client of a key. It shares everything else, because a whole client takes 10 ms and 250 kB. */
export const withKeys = (client: Ccxt, { key, secret }: Keys): Ccxt =>
  Object.assign(Object.create(client), { apiKey: key, secret }) as Ccxt;

/** Sends a request. */
export function request(client: Ccxt, call: Read | Write, params: Params): Promise<unknown> {
  return client.request(CALLS[call], call.startsWith('public') ? 'public' : 'private', call in WRITES ? 'POST' : 'GET', params);
}

function limitEnd(headers: object): number | undefined {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-bapi-limit-reset-timestamp') ?? [];
  const time = Number(value);
  return Number.isFinite(time) && time > 0 ? time : undefined;
}
