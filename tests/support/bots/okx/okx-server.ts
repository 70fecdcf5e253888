import type http from 'node:http';
import { SECOND } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { type Address, createAddress } from '../bybit/address.ts';
import type { Call, Reply } from '../bybit/faults.ts';
import { createVenue, Refusal, type Venue } from '../bybit/venue.ts';
import { createFaultQueue, type FaultQueue, type Market, type MarketOptions, type Outcome, serveReplies } from '../fake-exchange.ts';
import { type Algos, createAlgos } from './algos.ts';
import { type KeyInfo, PRIVATE, PUBLIC } from './calls.ts';
import { envelope, refusal } from './okx-faults.ts';
import { type Signer, verify } from './signing.ts';

interface Key extends Signer, KeyInfo {
  key: string;
  venue: Venue;
  algos: Algos;
}

interface State {
  keys: Map<string, Key>;
  faults: FaultQueue;
  /** Every accepted call, oldest first. */
  calls: Pick<Call, 'path' | 'params'>[];
  market: Market;
  address: Address;
  limits: ReturnType<typeof createLimits>;
  isInvited: (affiliate: number, uid: number) => boolean;
}

/** A key that may read and trade. */
const TRADER: Omit<KeyInfo, 'userId'> = { permissions: ['read_only', 'trade'], ips: [], acctLv: 2, parentUid: 0 };

/** Calls of one account in two seconds, as documented. */
const LIMITS: Record<string, number> = {
  'account/config': 5,
  'account/positions': 10,
  'account/balance': 10,
  'account/trade-fee': 5,
  'account/leverage-info': 20,
  'POST account/set-leverage': 20,
  'POST account/set-position-mode': 5,
  'trade/fills-history': 10,
  'account/bills': 10,
  'account/bills-archive': 10,
  'trade/orders-algo-pending': 20,
  'POST trade/order-algo': 20,
  'POST trade/amend-algos': 20,
  'POST trade/cancel-algos': 20,
};
const DEFAULT_LIMIT = 60;
const WINDOW = 2 * SECOND;

/** Venue's refusals, which are Bybit's, in OKX's codes. */
const CODES: Record<number, number> = { 110072: 51016, 110007: 51008, 110017: 51169, 110001: 51400, 110013: 59102, 10001: 51000 };

/** Counts the calls of each account once it is switched on. */
function createLimits(now: () => number) {
  const counts = new Map<string, { window: number; used: number }>();
  const state = { isOn: false };
  return {
    state,
    isExceeded(key: string, path: string): boolean {
      if (!state.isOn) return false;
      const window = Math.floor(now() / WINDOW);
      const name = `${key} ${path}`;
      const count = counts.get(name);
      const used = count?.window === window ? count.used + 1 : 1;
      counts.set(name, { window, used });
      return used > (LIMITS[path] ?? DEFAULT_LIMIT);
    },
  };
}

/** Starts a fake of OKX v5 that verifies signatures, keeps accounts, matches orders and injects faults. */
export async function startOkx({ now, price, mark = price, candles = () => [] }: MarketOptions) {
  const keys = new Map<string, Key>();
  const invited = new Map<number, Set<number>>();
  const faults = createFaultQueue();
  const calls: State['calls'] = [];
  const isInvited = (affiliate: number, uid: number) => invited.get(affiliate)?.has(uid) ?? false;
  const address = createAddress(now);
  const limits = createLimits(now);
  const state: State = { keys, faults, calls, market: { now, price, mark, candles }, address, limits, isInvited };

  const { url, close } = await serveReplies((request) => answer(state, request));

  return {
    url,
    /** Every accepted call, oldest first. Calls that write are named `POST …`. */
    calls: calls as Readonly<typeof calls>,
    /** The network address that every request comes from. */
    address,
    /** The documented limits of each account. */
    limits: limits.state,

    /** Opens an account and returns its key. */
    open(name: string, { balance = 1000, ...info }: Partial<KeyInfo & Pick<Signer, 'demo'>> & { balance?: number } = {}): Key {
      const venue = createVenue({ balance, now, price });
      // The margin mode goes with each order.
      venue.settings.marginMode = 'ISOLATED';
      const secrets = { key: `key-${name}`, secret: `secret-${name}`, passphrase: `passphrase-${name}` };
      const ids = { userId: 100 + keys.size, revoked: false, demo: false };
      const key: Key = { ...structuredClone(TRADER), ...ids, ...info, ...secrets, venue, algos: createAlgos(venue) };
      keys.set(key.key, key);
      return key;
    },

    /** Registers a customer as invited by an affiliate. */
    introduce(affiliate: Key, customer: Pick<Key, 'userId'>): void {
      invited.set(affiliate.userId, (invited.get(affiliate.userId) ?? new Set()).add(customer.userId));
    },

    /** Queues faults for the next calls of a path, one each. */
    fail: faults.fail,

    /** Removes all queued faults, limits and a ban. */
    heal(): void {
      faults.clear();
      limits.state.isOn = false;
      address.forgive();
    },

    /** Moves the price in every account along a candle. */
    advance(candle: Candle, funding = 0): void {
      for (const { venue } of keys.values()) venue.advance(candle, funding);
    },

    close,
  };
}

export type OkxServer = Awaited<ReturnType<typeof startOkx>>;

async function answer(state: State, request: http.IncomingMessage): Promise<Outcome> {
  const { faults, calls, address, limits } = state;
  const url = new URL(request.url ?? '/', 'http://okx');
  const isRead = request.method === 'GET';
  const path = `${isRead ? '' : 'POST '}${url.pathname.replace(/^\/api\/v5\//, '')}`;
  let body = '';
  for await (const chunk of request) body += chunk;
  const banned = address.receive();
  if (banned) return banned;
  const params = isRead ? Object.fromEntries(url.searchParams) : ({ ...JSON.parse(body || '{}') } as Call['params']);
  let key: Key | undefined;
  try {
    if (!(path in PUBLIC)) key = identify(state, path, request, body);
  } catch (error) {
    if (error instanceof Refusal) return refusal(error.code, error.message);
    throw error;
  }
  if (key && limits.isExceeded(key.key, path)) return { ...refusal(50011, 'Too Many Requests'), status: 429 };
  calls.push({ path, params });
  const done = (changed = params) => carryOut(state, path, changed, key);
  return faults.run(done, { path, params, venue: key?.venue });
}

/** Runs a call and returns its answer, refusals included. */
function carryOut({ market, isInvited }: State, path: string, params: Call['params'], key: Key | undefined): Reply {
  try {
    const open = PUBLIC[path];
    if (open) return envelope(open(params, market));
    key?.venue.settleAccepted();
    const call = PRIVATE[path];
    if (!call || !key) return { status: 404, body: '' };
    return envelope(call(params, key.venue, { ...market, info: key, algos: key.algos, isInvited }));
  } catch (error) {
    if (error instanceof Refusal) return refusal(CODES[error.code] ?? error.code, error.message);
    throw error;
  }
}

/**
 * Returns the key that signed a request.
 * @throws {Refusal} if the signature is wrong or the key lacks a permission
 */
function identify({ keys, market }: State, path: string, { headers, method = 'GET', url = '' }: http.IncomingMessage, body: string): Key {
  const key = verify(keys, { headers, method, target: url, body, now: market.now() });
  if (key.ips.length > 0 && !key.ips.includes('127.0.0.1')) throw new Refusal(50110, 'Your IP is not included in your API key whitelist');
  if (path.startsWith('POST ') && !key.permissions.includes('trade'))
    throw new Refusal(50120, "This API key doesn't have permission to use this function");
  return key;
}
