import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartCommands } from '#client/features/watchlist/heart-commands.ts';
import { moveHeart, restoreHeart, setHeart } from '#client/features/watchlist/hearts.ts';
import { heartsLane } from '#client/features/watchlist/send-hearts.ts';
import { readWatched, storeHearts } from '#client/features/watchlist/watched.ts';
import { watchlistResource, wholeWatchlist } from '#client/features/watchlist/watchlist-resource.ts';
import { load } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { retry } from '#client/platform/outbox/outbox.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { DAY } from '#domain/clock.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { coin, source } from '../market/fake-market.tsx';

let users = 0;
let userId: string;
const db = () => userDb(userId);
const named = (id: number) => ({ id, symbol: `C${id}`, name: `Coin ${id}` });
const press = (id: number, watched: boolean) => setHeart(db(), userId, named(id), watched);
const ids = async () => (await readWatched(db())).ids;
const drain = () => drainLane(db(), heartsLane);

/** Requests that the server received, and its next answers. */
let sent: { body: { cryptoId: number; actionType: number }; key: string | null }[];
let answers: ((body: { cryptoId: number; actionType: number }) => Response)[];

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
/** The order that the server answers to a move. */
let order: number[];
const taken = ({ cryptoId, actionType }: { cryptoId: number; actionType?: number }) =>
  actionType === undefined
    ? json(200, { status: 200, data: { ids: order } })
    : json(200, { status: 200, data: { cryptoId, isWatchListed: actionType === 1 } });
const refused = (status: number) => () => json(status, { status, code: 'no', message: `No: ${status}` });

beforeEach(async () => {
  users += 1;
  userId = `watches-${users}`;
  sent = [];
  answers = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    sent.push({ body, key: new Headers(init.headers).get('Idempotency-Key') });
    return (answers.shift() ?? taken)(body);
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
});

describe('the watched coins', () => {
  it("are the server's, with waiting changes applied in order", async () => {
    await storeHearts(db(), [1, 2, 3], 5);
    await press(9, true);
    await press(2, false);
    await press(7, true);
    await press(7, false);
    expect(await ids()).toEqual([9, 1, 3]);
    expect((await db().watchlist.toArray()).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('keep the place of a coin that is added again', async () => {
    await storeHearts(db(), [1, 2], 5);
    await press(2, true);
    expect(await ids()).toEqual([1, 2]);
  });

  it('need no undo after two quick failures', async () => {
    await storeHearts(db(), [1], 5);
    answers = [refused(400), refused(400)];
    await press(1, false);
    await press(2, true);
    expect(await ids()).toEqual([2]);
    expect(await drain()).toBe('empty');
    expect(await ids()).toEqual([1]);
    expect((await heartCommands(db())).map(({ state, reason }) => `${state} ${reason}`)).toEqual(['parked No: 400', 'parked No: 400']);
  });

  it('drop a refused change when the coin gets another', async () => {
    answers = [refused(400)];
    await press(1, true);
    await drain();
    await press(1, true);
    expect((await heartCommands(db())).map(({ state }) => state)).toEqual(['waiting']);
  });

  it('apply a refused change again on retry', async () => {
    answers = [refused(400)];
    await press(1, true);
    await drain();
    const [command] = await heartCommands(db());
    await retry(db(), command?.id ?? '');
    expect(await ids()).toEqual([1]);
    expect(await drain()).toBe('empty');
    expect(sent.map(({ key }) => key)).toEqual([command?.id, command?.id]);
    expect(await ids()).toEqual([1]);
  });
});

describe('sending changes', () => {
  it('sends each once, in order, under its own key', async () => {
    await press(1, true);
    await press(1, false);
    expect(await drain()).toBe('empty');
    expect(sent.map(({ body }) => body)).toEqual([
      { userId, cryptoId: 1, cryptoSymbol: 'C1', cryptoName: 'Coin 1', actionType: 1 },
      { userId, cryptoId: 1, cryptoSymbol: 'C1', cryptoName: 'Coin 1', actionType: 2 },
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect(await db().outbox.count()).toBe(0);
    expect(await ids()).toEqual([]);
  });

  it('does not flicker between the answer and the list', async () => {
    await storeHearts(db(), [5], 5);
    await press(1, true);
    const seen: number[][] = [];
    answers = [
      (body) => {
        void ids().then((now) => seen.push(now));
        return taken(body);
      },
    ];
    await drain();
    seen.push(await ids());
    expect(seen).toEqual([
      [1, 5],
      [1, 5],
    ]);
  });

  it('retries a change without an answer under the same key', async () => {
    answers = [refused(503)];
    await press(1, true);
    expect(await drain()).toBe('stopped');
    expect(await ids()).toEqual([1]);
    expect(await drain()).toBe('empty');
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(await ids()).toEqual([1]);
  });
});

describe('moving a coin', () => {
  const move = (id: number, before: number | null) => moveHeart(db(), userId, named(id), before);
  beforeEach(() => storeHearts(db(), [1, 2, 3], 5));

  it('shows at once, and is sent once under its own key', async () => {
    order = [3, 1, 2];
    answers = [refused(503)];
    await move(3, 1);
    expect(await ids()).toEqual([3, 1, 2]);
    expect(await drain()).toBe('stopped');
    expect(await ids()).toEqual([3, 1, 2]);
    await Promise.all([drain(), drain()]);
    expect(sent.map(({ body }) => body)).toEqual(Array(2).fill({ cryptoId: 3, beforeId: 1 }));
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(await db().outbox.count()).toBe(0);
    expect(await ids()).toEqual([3, 1, 2]);
  });

  it('follows the change that adds its coin, and does not flicker', async () => {
    await press(9, true);
    await move(9, null);
    expect(await ids()).toEqual([1, 2, 3, 9]);
    order = [1, 2, 3, 9];
    await drain();
    expect(sent.map(({ body }) => Object.keys(body).includes('beforeId'))).toEqual([false, true]);
    expect(await ids()).toEqual([1, 2, 3, 9]);
  });

  it('keeps the order of a coin that another device removed, or added since', async () => {
    await move(1, 42);
    expect(await ids()).toEqual([1, 2, 3]);
    order = [2, 3, 7];
    await drain();
    expect((await ids()).sort()).toEqual([1, 2, 3]);
  });

  it('needs no undo when the server refuses it', async () => {
    answers = [refused(400)];
    await move(3, 1);
    await drain();
    expect(await ids()).toEqual([1, 2, 3]);
    expect((await heartCommands(db())).map(({ state }) => state)).toEqual(['parked']);
  });

  it('puts a removed coin back at its place', async () => {
    await press(2, false);
    expect(await ids()).toEqual([1, 3]);
    await restoreHeart(db(), userId, named(2), [3]);
    expect(await ids()).toEqual([1, 2, 3]);
  });
});

describe('the stored list', () => {
  const answer = (coins: ReturnType<typeof coin>[], all = coins.map(({ id }) => id)) =>
    json(200, { status: 200, data: coins, source, ids: all });

  it('has all watched coins, whatever the search', async () => {
    answers = [() => answer([coin(1, 'Bitcoin', 'BTC')], [3, 1])];
    await load(db(), watchlistResource, { ...wholeWatchlist(userId), search: 'bit' });
    expect(await ids()).toEqual([3, 1]);
    expect(sent[0]?.body).toEqual({ limit: 100, convert: 'USD', search: 'bit', page: 1 });
  });

  it('keeps a change that the server stored during the request', async () => {
    let answered = (_response: Response) => {};
    const late = new Promise<Response>((resolve) => {
      answered = resolve;
    });
    const fetched = fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => (url.endsWith(userId) ? late : fetched(url, init)));
    const loading = load(db(), watchlistResource, wholeWatchlist(userId));
    await press(1, true);
    await drain();
    answered(answer([]));
    await loading;
    expect(await ids()).toEqual([1]);
  });

  it('is stored also after a change of a day on which the clock was ahead', async () => {
    await signIn(makeTokens({ sub: userId, exp: 2_000_000_000 }), true);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + DAY);
    await press(1, true);
    expect(await drain()).toBe('empty');
    vi.mocked(Date.now).mockRestore();
    answers = [() => answer([coin(2, 'Ether', 'ETH'), coin(1, 'Bitcoin', 'BTC')])];
    await load(db(), watchlistResource, wholeWatchlist(userId));
    expect(await ids()).toEqual([2, 1]);
  });

  it('is searched on the device by name and symbol, newest first, and names coins that no list has', async () => {
    answers = [() => answer([coin(1, 'Bitcoin', 'BTC'), coin(2, 'Éther', 'ETH')])];
    await load(db(), watchlistResource, wholeWatchlist(userId));
    await press(99, true);
    const read = async (search: string, limit = 100) =>
      (await watchlistResource.read(db(), { ...wholeWatchlist(userId), search, limit }, true))?.coins.map(({ name }) => name);
    expect(await read('')).toEqual(['Coin 99', 'Bitcoin', 'Éther']);
    expect(await read('', 2)).toEqual(['Coin 99', 'Bitcoin']);
    expect(await read('ETHER')).toEqual(['Éther']);
    expect(await read('btc')).toEqual(['Bitcoin']);
    expect(await read('nothing')).toEqual([]);
  });

  it('keeps the stamp of the last search only', async () => {
    answers = ['', 'b', 'bi', 'bit'].map(() => () => answer([]));
    await load(db(), watchlistResource, wholeWatchlist(userId));
    for (const search of ['b', 'bi', 'bit']) await load(db(), watchlistResource, { ...wholeWatchlist(userId), search });
    const keys = (await db().stamps.toArray()).map(({ key }) => key);
    expect(keys).toEqual(['watchlist', 'watchlist/100/', 'watchlist/100/bit']);
  });
});
