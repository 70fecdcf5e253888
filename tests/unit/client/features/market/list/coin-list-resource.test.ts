import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coinDetailsResource } from '#client/features/market/coin/coin-details-resource.ts';
import { type CoinListParams, coinListResource } from '#client/features/market/list/coin-list-resource.ts';
import { load } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { LINE_POINTS } from '#contract/market/choices.ts';
import { DEFAULT_CHOICE } from '#domain/market/list-address.ts';
import { quote } from '#tests/support/market/quotes.ts';
import { closeMarket, coin, details, type FakeMarket, openMarket, source } from '../fake-market.tsx';

let market: FakeMarket;
let db: UserDb;

beforeEach(async () => {
  ({ market, db } = await openMarket());
});

afterEach(closeMarket);

const loadList = (now = 1000) => load(db, coinListResource, DEFAULT_CHOICE, () => now);
const readList = () => coinListResource.read(db, DEFAULT_CHOICE, true);
const params = { id: 1, userId: 'anybody' };
const loadDetails = () => load(db, coinDetailsResource, params);
const readDetails = () => coinDetailsResource.read(db, params, true);

const bitcoin = coin(1, 'Bitcoin', 'BTC');
const ether = coin(1027, 'Ethereum', 'ETH', { rank: 2 });
const priced = (price: number) => ({ ...bitcoin, quote: { USD: quote({ price }) } });

describe('the coin list', () => {
  it('is unknown before its first answer', async () => {
    expect(await readList()).toBeUndefined();
  });

  it('keeps the order of the answer and its source', async () => {
    market.coins = [ether, bitcoin];
    await loadList();
    expect(await readList()).toEqual({ coins: [ether, bitcoin], source, savedAt: 1000 });
  });

  it('can be empty, which differs from unknown', async () => {
    await loadList();
    expect(await readList()).toEqual({ coins: [], source, savedAt: 1000 });
  });

  it('writes only the rows that changed', async () => {
    market.coins = [bitcoin, ether];
    await loadList();
    const written: number[] = [];
    db.coins.hook('updating', (_changes, id) => void written.push(id));
    market.coins = [priced(5), ether];
    await loadList();
    expect(written).toEqual([1]);
    expect((await readList())?.coins[0]?.quote.USD?.price).toBe(5);
  });

  describe('that was never fetched', () => {
    const coins = Array.from({ length: 12 }, (_, at) => coin(at + 1, `Coin ${at + 1}`, `C${at + 1}`));
    const read = async (params: Partial<CoinListParams>) => {
      const list = await coinListResource.read(db, { ...DEFAULT_CHOICE, ...params }, false);
      return list && { ids: list.coins.map(({ id }) => id), savedAt: list.savedAt };
    };

    it('is taken from a longer one', async () => {
      market.coins = coins;
      await loadList(4711);
      expect(await read({ top: 5 })).toEqual({ ids: [1, 2, 3, 4, 5], savedAt: 4711 });
      expect((await read({ top: 20 }))?.ids).toHaveLength(12);
    });

    it('is taken from the newest list that includes it', async () => {
      const reversed = [...coins].reverse();
      market.coins = coins;
      await loadList(1);
      market.coins = reversed.slice(0, 10);
      await load(db, coinListResource, { ...DEFAULT_CHOICE, top: 10 }, () => 2);
      expect(await read({ top: 5 })).toEqual({ ids: [12, 11, 10, 9, 8], savedAt: 2 });
      expect((await read({ top: 20 }))?.ids[0]).toBe(1);
    });

    it('has the figures in both currencies', async () => {
      market.coins = coins;
      await loadList();
      expect((await read({ currency: 'BTC' }))?.ids).toHaveLength(12);
    });

    it.each([
      ['longer', { top: 100 }],
      ['in another order', { top: 5, ranking: 2 }],
      ['filtered', { top: 5, filters: { priceMin: '1' } }],
    ] as const)('is unknown when it is %s', async (_what, params) => {
      market.coins = coins;
      await load(db, coinListResource, { ...DEFAULT_CHOICE, top: 50 });
      expect(await read(params)).toBeUndefined();
    });

    it('is a separate list per currency if a filter depends on it', async () => {
      market.coins = coins;
      const filters = { priceMax: '2' };
      await load(db, coinListResource, { ...DEFAULT_CHOICE, filters });
      expect(await read({ filters })).toBeDefined();
      expect(await read({ filters, currency: 'BTC' })).toBeUndefined();
      const byVolume = { volume24hMin: '2' };
      await load(db, coinListResource, { ...DEFAULT_CHOICE, filters: byVolume });
      expect(await read({ filters: byVolume, currency: 'BTC' })).toBeDefined();
    });
  });

  it('sends the settings of its controls, with volumes in dollars', async () => {
    const filters = { priceMin: '0.5', volume24hMax: '24', percentChange24hMin: '-10' };
    await load(db, coinListResource, { currency: 'BTC', ranking: 4, top: 20, filters });
    expect(market.bodies).toEqual([
      { limit: 20, convert: 'BTC', sortType: 4, priceMin: 0.5, volume24hMax: 24_000_000_000, percentChange24hMin: -10 },
    ]);
  });

  it('is deleted with its stamp when fifty others are newer', async () => {
    await db.stamps.put({ key: 'profile', savedAt: 0 });
    for (let at = 1; at <= 52; at += 1)
      await load(db, coinListResource, { ...DEFAULT_CHOICE, filters: { priceMin: String(at) } }, () => at);
    const kept = (price: number) => coinListResource.read(db, { ...DEFAULT_CHOICE, filters: { priceMin: String(price) } }, true);
    expect(await db.coinLists.count()).toBe(50);
    expect(await db.stamps.count()).toBe(51);
    expect(await kept(2)).toBeUndefined();
    expect(await kept(3)).toBeDefined();
    expect(await kept(52)).toBeDefined();
  });
});

describe('the details of a coin', () => {
  it('are unknown without any data', async () => {
    expect(await readDetails()).toBeUndefined();
  });

  it('start with the figures of the list and their age', async () => {
    market.coins = [bitcoin];
    await loadList(4711);
    expect(await readDetails()).toEqual({ coin: bitcoin, details: undefined, source, listedAt: 4711 });
  });

  it('show the same price as the list, whichever loaded last', async () => {
    market.coins = [bitcoin];
    market.details.set(1, details(priced(2)));
    await loadList();
    await loadDetails();
    expect((await readList())?.coins[0]?.quote.USD?.price).toBe(2);
    market.coins = [priced(3)];
    market.source = { ...source, asOf: '2026-11-21T10:00:15.000Z' };
    await loadList();
    const shown = await readDetails();
    expect(shown?.coin.quote.USD?.price).toBe(3);
    expect(shown?.source?.asOf).toBe('2026-11-21T10:00:15.000Z');
  });

  it("leave the list's line of 7 days as it is, until a list comes without one", async () => {
    const lined = (line_7d: number[] | null) => ({ ...bitcoin, line_7d });
    const line = Array.from({ length: LINE_POINTS }, (_, at) => 100 + at);
    const readLine = async () => (await readList())?.coins[0]?.line_7d;
    market.coins = [lined(line)];
    market.details.set(1, details(priced(2)));
    await loadList();
    await loadDetails();
    expect((await readList())?.coins[0]?.quote.USD?.price).toBe(2);
    expect(await readLine()).toEqual(line);
    market.coins = [lined(null)];
    await loadList();
    await loadDetails();
    expect(await readLine()).toBeNull();
  });

  it('stay on the device', async () => {
    market.details.set(1, details(bitcoin, { max_supply: 21_000_000 }));
    await loadDetails();
    market.offline = true;
    await expect(loadDetails()).rejects.toThrow('No connection');
    expect((await readDetails())?.details?.max_supply).toBe(21_000_000);
  });
});
