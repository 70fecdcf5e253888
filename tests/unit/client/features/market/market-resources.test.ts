import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coinDetailsResource } from '../../../../../src/client/features/market/coin-details-resource';
import { coinListResource, TOP_100 } from '../../../../../src/client/features/market/coin-list-resource';
import { load } from '../../../../../src/client/platform/cache/resource';
import type { UserDb } from '../../../../../src/client/platform/db/user-db';
import { quote } from '../../../../support/quotes';
import { closeMarket, coin, details, type FakeMarket, openMarket, source } from './fake-market';

let market: FakeMarket;
let db: UserDb;

beforeEach(async () => {
  ({ market, db } = await openMarket());
});

afterEach(closeMarket);

const loadList = (now = 1000) => load(db, coinListResource, TOP_100, () => now);
const readList = () => coinListResource.read(db, TOP_100, true);
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
    expect(await readList()).toEqual({ coins: [ether, bitcoin], source });
  });

  it('may be empty, which is not the same as unknown', async () => {
    await loadList();
    expect(await readList()).toEqual({ coins: [], source });
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

  it('does not mix lists asked for in another way', async () => {
    market.coins = [bitcoin];
    await loadList();
    expect(await coinListResource.read(db, { ...TOP_100, limit: 5 }, true)).toBeUndefined();
  });
});

describe('the details of a coin', () => {
  it('are unknown while nothing is', async () => {
    expect(await readDetails()).toBeUndefined();
  });

  it('begin with what the list knows, and when it was stored', async () => {
    market.coins = [bitcoin];
    await loadList(4711);
    expect(await readDetails()).toEqual({ coin: bitcoin, details: undefined, source, listedAt: 4711 });
  });

  it('show the same price as the list, whichever was asked last', async () => {
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

  it('stay on the device', async () => {
    market.details.set(1, details(bitcoin, { max_supply: 21_000_000 }));
    await loadDetails();
    market.offline = true;
    await expect(loadDetails()).rejects.toThrow('No connection');
    expect((await readDetails())?.details?.max_supply).toBe(21_000_000);
  });
});
