import type http from 'node:http';
import type { Candle } from '#domain/market/candles.ts';
import { createFaultQueue, type FaultQueue, type MarketOptions, type Outcome, serveReplies } from '../fake-exchange.ts';
import { type Address, createAddress } from './address.ts';
import { type KeyInfo, type MarkedMarket, PRIVATE, PUBLIC } from './calls.ts';
import { type Call, envelope, type Reply } from './faults.ts';
import { type Signer, verify } from './signing.ts';
import { addStreams } from './streams.ts';
import { createVenue, Refusal, type Venue } from './venue.ts';

interface Options extends MarketOptions {
  /** Candles of the mark price; those of the last price by default. */
  marks?: () => readonly Candle[];
  /** 0, the default, picks a free port. */
  port?: number;
}

interface Key extends Signer, KeyInfo {
  key: string;
  venue: Venue;
}

interface State {
  keys: Map<string, Key>;
  faults: FaultQueue;
  /** Every call with a valid signature, oldest first. */
  calls: Pick<Call, 'path' | 'params'>[];
  market: MarkedMarket;
  address: Address;
  isCustomer: (affiliate: number, uid: number) => boolean;
}

/** Calls that write. */
const WRITES = /^(order\/(create|cancel)|position\/(set|switch|trading)|account\/set)/;

/** An API key that may only trade contracts. */
const TRADER: Omit<KeyInfo, 'userId'> = {
  readOnly: false,
  permissions: { ContractTrade: ['Order', 'Position'], Spot: [], Wallet: [], Options: [], Exchange: [], NFT: [] },
  ips: [],
  affiliateId: 0,
  kycRegion: 'ITA',
  parentUid: 0,
};

/** Starts a fake of Bybit v5 that verifies signatures, keeps accounts, matches orders and injects faults. */
export async function startBybit({ now, price, mark = price, candles = () => [], marks = candles, port = 0 }: Options) {
  const keys = new Map<string, Key>();
  const customers = new Map<number, Set<number>>();
  const faults = createFaultQueue();
  const calls: State['calls'] = [];
  const isCustomer = (affiliate: number, uid: number) => customers.get(affiliate)?.has(uid) ?? false;
  const address = createAddress(now);
  const state: State = { keys, faults, calls, market: { now, price, mark, candles, marks }, address, isCustomer };

  const { server, url, close } = await serveReplies((request) => answer(state, request), port);
  let connections = 0;
  server.on('connection', () => connections++);
  const streams = addStreams({ server, now, price, mark, keyOf: (name) => keys.get(name) });

  return {
    url,
    /** Every call with a valid signature, oldest first. */
    calls: calls as Readonly<typeof calls>,
    /** Returns the number of connections so far. */
    connections: () => connections,
    /** The network address that every request comes from. */
    address,
    /** The streams of accounts and of the market. */
    streams,

    /** Opens an account and returns its key. */
    open(
      name: string,
      { balance = 1000, expiresAt = null, ...info }: Partial<KeyInfo> & { balance?: number; expiresAt?: number | null } = {},
    ): Key {
      const venue = createVenue({ balance, now, price });
      const key = {
        ...structuredClone(TRADER),
        userId: 100 + keys.size,
        ...info,
        key: `key-${name}`,
        secret: `secret-${name}`,
        expiresAt,
        revoked: false,
        venue,
      };
      keys.set(key.key, key);
      return key;
    },

    /** Registers a customer as referred by an affiliate. */
    introduce(affiliate: Key, customer: Key): void {
      customers.set(affiliate.userId, (customers.get(affiliate.userId) ?? new Set()).add(customer.userId));
    },

    /** Queues faults for the next calls of a path, one each. */
    fail: faults.fail,

    /** Removes all queued faults, and a ban. */
    heal(): void {
      Object.assign(streams.faults, { isDown: false, isMute: false });
      faults.clear();
      address.forgive();
    },

    /** Moves the price in every account along a candle. */
    advance(candle: Candle, funding = 0): void {
      for (const { venue } of keys.values()) venue.advance(candle, funding);
    },

    async close(): Promise<void> {
      streams.close();
      await close();
    },
  };
}

export type BybitServer = Awaited<ReturnType<typeof startBybit>>;

async function answer(state: State, request: http.IncomingMessage): Promise<Outcome> {
  const { faults, calls, market, address } = state;
  const url = new URL(request.url ?? '/', 'http://bybit');
  const path = url.pathname.replace(/^\/v5\//, '');
  let body = '';
  for await (const chunk of request) body += chunk;
  const banned = address.receive();
  if (banned) return banned;
  const read = request.method === 'GET';
  const params = read ? Object.fromEntries(url.searchParams) : (JSON.parse(body || '{}') as Call['params']);
  let key: Key | undefined;
  if (!(path in PUBLIC)) {
    try {
      key = identify(state, path, request, read ? url.search.slice(1) : body);
    } catch (error) {
      if (error instanceof Refusal) return envelope(error.code, error.message, {}, market.now());
      throw error;
    }
  }
  calls.push({ path, params });
  const done = (changed = params) => carryOut(state, path, changed, key);
  return faults.run(done, { path, params, venue: key?.venue });
}

/** Runs a call and returns its answer, refusals included. */
function carryOut({ market, isCustomer }: State, path: string, params: Call['params'], key: Key | undefined): Reply {
  const { now } = market;
  try {
    const open = PUBLIC[path];
    if (open) return envelope(0, 'OK', open(params, market), now());
    const call = PRIVATE[path];
    key?.venue.settleAccepted();
    if (!call || !key) return { status: 404, body: '' };
    return envelope(0, 'OK', call(params, key.venue, { ...market, info: key, isCustomer }), now());
  } catch (error) {
    if (error instanceof Refusal) return envelope(error.code, error.message, {}, now());
    throw error;
  }
}

/**
 * Returns the key that signed a request.
 * @throws {Refusal} if the signature is wrong or the key lacks a permission
 */
function identify({ keys, market }: State, path: string, request: http.IncomingMessage, payload: string): Key {
  const key = verify(keys, { headers: request.headers, payload, now: market.now() });
  if (key.ips.length > 0 && !key.ips.includes('127.0.0.1'))
    throw new Refusal(10010, 'Unmatched IP, please check your API key bound IP addresses.');
  const trade = key.permissions.ContractTrade;
  const needs = path.startsWith('order/') ? 'Order' : 'Position';
  if (WRITES.test(path) && (key.readOnly || !trade.includes(needs)))
    throw new Refusal(10005, 'Permission denied, please check your API key permissions.');
  return key;
}
