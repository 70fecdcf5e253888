import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PRODUCT } from '#domain/product.ts';
import { loadCcxt } from '#server/ports/load-ccxt.ts';
import { readLimited } from '#server/ports/read-limited.ts';
import type { Keys } from '../exchange.ts';
import type { Params, Protocol } from './protocol.ts';

/** The parts of ccxt in use: signed requests, and three hooks. */
export interface Ccxt {
  apiKey: string;
  secret: string;
  password: string;
  headers: Record<string, string>;
  urls: { api: unknown };
  loadFetchImplementation(): Promise<void>;
  loadProxyModules(): Promise<void>;
  request(path: string, api: 'public' | 'private', method: 'GET' | 'POST', params: Params): Promise<unknown>;
  nonce: () => number;
  undiciBody: (response: Answered) => Promise<string>;
  handleErrors: (status: number, reason: string, url: string, method: string, headers: object, body: string, answer: unknown) => void;
}
interface Answered {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}
type CcxtClass = new (options: object) => Ccxt;
type AnyProtocol = Protocol<string, string>;

/** The exchange answered with an error. */
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
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** ms. */
  timeout: number;
  /** The exchange's time, ms. */
  now: () => number;
}

/** Bytes of an answer, unpacked. The largest expected one, 1,000 candles, has about a hundred thousand. */
const MAX_BYTES = 4_000_000;
const UNPACK = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate };

/** Reads an answer up to `MAX_BYTES`: ccxt's own reader would fill the memory with an endless one. */
function readBody({ headers, body }: Answered): Promise<string> {
  const unpack = UNPACK[headers['content-encoding'] as keyof typeof UNPACK];
  return readLimited(unpack ? pipeline(body, unpack(), () => undefined) : body, MAX_BYTES);
}

/** Creates ccxt's client without a key. The client does not pace requests, because the budget does. */
export async function createClient(protocol: AnyProtocol, { url, headers = {}, timeout, now }: ClientOptions): Promise<Ccxt> {
  const Client = await loadCcxt<CcxtClass>(protocol.client);
  const client = new Client({ timeout, enableRateLimit: false, userAgent: PRODUCT, options: { brokerId: '' } });
  client.urls.api = protocol.addresses(url);
  Object.assign(client.headers, headers);
  client.nonce = now;
  client.undiciBody = readBody;
  client.handleErrors = (status, _reason, _url, _method, answered, _body, answer) => {
    const code = protocol.codeOf(answer);
    if (code !== 0 || status >= 400) throw new Refused(status, code, protocol.limitEndOf(answered));
  };
  // Each key's client would load its own connection pool, and look for proxies in vain.
  await Promise.all([client.loadFetchImplementation(), client.loadProxyModules()]);
  return client;
}

/** Returns the same client for another address of the API. */
export const atUrl = (protocol: AnyProtocol, client: Ccxt, url: string): Ccxt =>
  Object.assign(Object.create(client), { urls: { ...client.urls, api: protocol.addresses(url) } }) as Ccxt;

/** Returns the client of a key. It shares everything else, because a whole client takes 10 ms and 250 kB. */
export const withKeys = (client: Ccxt, { key, secret, passphrase }: Keys): Ccxt =>
  Object.assign(Object.create(client), { apiKey: key, secret, password: passphrase }) as Ccxt;

/** Sends a request. */
export function request({ reads, writes }: AnyProtocol, client: Ccxt, call: string, params: Params): Promise<unknown> {
  const path = reads[call] ?? writes[call] ?? call;
  return client.request(path, call.startsWith('public') ? 'public' : 'private', call in writes ? 'POST' : 'GET', params);
}
