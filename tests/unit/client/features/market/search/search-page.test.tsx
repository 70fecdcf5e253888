import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import SearchPage from '#client/features/market/search/search-page.tsx';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { forgetTicks, takeTick } from '#client/platform/live/coin-ticks.ts';
import { history } from '#client/platform/router/history.ts';
import { alone, closeMarket, coin, type FakeMarket, openMarket } from '../fake-market.tsx';

let market: FakeMarket;
let db: UserDb;

beforeEach(async () => {
  ({ market, db } = await openMarket());
  act(() => history.replace('/crypto/crypto-search'));
});

afterEach(closeMarket);

const open = () => render(alone(<SearchPage />));
const type = (text: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } });
const searches = () => market.asked.map((path) => path.replace('/coin-market/global-search/', ''));
const names = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));

describe('the coin search', () => {
  it('sends one request when typing pauses', async () => {
    open();
    await waitFor(() => expect(searches()).toEqual(['%20']));
    for (const text of ['b', 'bi', 'bit']) type(text);
    await waitFor(() => expect(searches()).toEqual(['%20', 'bit']));
  });

  it('lists matches with the text highlighted, and links to the coin', async () => {
    market.hits = [{ id: 1027, name: 'Éthereum', symbol: 'ETH' }];
    open();
    type('eth');
    expect(await screen.findByText('Search Result')).toBeDefined();
    const hit = await screen.findByRole('link');
    expect(hit.getAttribute('href')).toBe('/crypto/details/1027');
    await waitFor(() => expect([...hit.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Éth', 'ETH']));
  });

  it('shows price and change, and only a name if the market has no price', async () => {
    market.hits = [
      { id: 1, name: 'Bitcoin', symbol: 'BTC', price: 61_234.56, percent_change_24h: -1.5 },
      { id: 9, name: 'Bitnew', symbol: 'BN', price: null, percent_change_24h: null },
    ];
    open();
    type('bit');
    const [priced, bare] = await screen.findAllByRole('link', { name: /Bit/ });
    expect(priced?.textContent).toMatch(/BTC\$61,234\.56down 1\.50%$/);
    expect(bare?.textContent).toMatch(/BN$/);
  });

  it('shows the age of a price that does not tick, from a minute on', async () => {
    const at = (age: number) => new Date(Date.now() - age).toISOString();
    const priced = { price: 5, percent_change_24h: 1 };
    market.hits = [
      { id: 1, name: 'Bitcoin', symbol: 'BTC', ...priced, asOf: at(30_000) },
      { id: 2, name: 'Bitold', symbol: 'BO', ...priced, asOf: at(12 * 60_000 + 1) },
      { id: 3, name: 'Bitlive', symbol: 'BL', ...priced, asOf: at(12 * 60_000 + 1) },
    ];
    const figures = { price: 6, market_cap: null, percent_change_24h: 2 };
    takeTick({ id: 3, quote: { USD: figures, BTC: figures } });
    open();
    type('bit');
    const [fresh, old, live] = await screen.findAllByRole('link', { name: /Bit/ });
    expect(fresh?.textContent).toMatch(/\$5\.00up 1\.00%$/);
    expect(old?.textContent).toMatch(/\$5\.00up 1\.00%12 min ago$/);
    expect(live?.textContent).toMatch(/\$6\.00up 2\.00%$/);
    forgetTicks(new Set());
  });

  it('shows the age of each price that the device has, by its latest list', async () => {
    await db.coins.bulkPut([coin(4, 'Bitcoin', 'BTC'), coin(5, 'Bitcoin Cash', 'BCH')]);
    const source = (hours: number) => ({ ...market.source, asOf: new Date(Date.now() - hours * 3_600_000).toISOString() });
    await db.coinLists.bulkPut([
      { key: 'one', ids: [4, 5], source: source(9) },
      { key: 'two', ids: [4], source: source(3) },
    ]);
    market.offline = true;
    open();
    type('bitcoin');
    const found = await screen.findAllByRole('link');
    expect(found.map((link) => link.textContent)).toEqual([expect.stringMatching(/3 h ago$/), expect.stringMatching(/9 h ago$/)]);
  });

  it('shows the price that the device has, which is newer than the answer', async () => {
    market.hits = [{ id: 1, name: 'Bitcoin', symbol: 'BTC', price: 61_234.56, percent_change_24h: -1.5 }];
    const figures = (price: number) => ({ price, market_cap: null, percent_change_24h: 2 });
    takeTick({ id: 1, quote: { USD: figures(62_000), BTC: figures(1) } });
    open();
    expect((await screen.findByRole('link', { name: /Bit/ })).textContent).toMatch(/BTC\$62,000\.00up 2\.00%$/);
    act(() => takeTick({ id: 1, quote: { USD: figures(62_500), BTC: figures(1) } }));
    expect(screen.getByRole('link', { name: /Bit/ }).textContent).toMatch(/\$62,500\.00/);
    forgetTicks(new Set());
  });

  it('says when nothing matches', async () => {
    open();
    type('nothing');
    expect(await screen.findByText('No search result found!')).toBeDefined();
  });

  it('stores the text in the address and reads it from there', async () => {
    const first = open();
    type('100% & <b>');
    await waitFor(() => expect(window.location.search).toBe('?q=100%25+%26+%3Cb%3E'));
    first.unmount();
    open();
    expect(screen.getByRole('searchbox')).toHaveProperty('value', '100% & <b>');
    type('');
    await waitFor(() => expect(window.location.search).toBe(''));
  });

  it.each([
    ['a/b', 'a%2Fb'],
    ['..', '..%20'],
    ['\u{D83D}', '%EF%BF%BD'],
    ['?x#y', '%3Fx%23y'],
  ])('sends %j as one path segment', async (text, part) => {
    open();
    type(text);
    await waitFor(() => expect(searches()).toContain(part));
  });

  it('searches the device offline, best rank first', async () => {
    await db.coins.bulkPut([
      coin(3, 'Bitcoin Gold', 'BTG', { rank: 90 }),
      coin(9, 'Bitcoin Cash', 'BCH', { rank: 20 }),
      coin(4, 'Bítcoin', 'BTC', { rank: 1 }),
      coin(5, 'Unranked Bitcoin', 'UB', { rank: null }),
      coin(6, 'Ether', 'ETH', { rank: 2 }),
    ]);
    market.offline = true;
    open();
    type('bitcoin');
    await waitFor(() => expect(names()).toEqual([4, 9, 3, 5].map((id) => `/crypto/details/${id}`)));
    expect((await screen.findByText(/Found on this device/)).textContent).toContain('Offline.');
    expect(screen.getAllByRole('link')[0]?.textContent).toMatch(/\$1,004\.00up 1\.50%$/);
  });

  it('shows matches of the device until the server answers', async () => {
    await db.coins.put(coin(4, 'Bitcoin', 'BTC'));
    market.fetch = () => new Promise(() => {});
    open();
    await waitFor(() => expect(names()).toEqual(['/crypto/details/4']));
    await waitFor(() => expect(screen.queryByText(/Found on this device/)).toBeNull());
  });

  it('finds results of earlier searches on the device', async () => {
    market.hits = [{ id: 900, name: 'Rare Pearl', symbol: 'RPL' }];
    const first = open();
    type('pearl');
    await waitFor(() => expect(names()).toEqual(['/crypto/details/900']));
    await waitFor(async () => expect(await db.coins.get(900)).toBeDefined());
    first.unmount();
    market.offline = true;
    open();
    type('RARE');
    await waitFor(() => expect(names()).toEqual(['/crypto/details/900']));
    expect(await screen.findByText(/Found on this device/)).toBeDefined();
  });

  it('does not change the figures of stored coins', async () => {
    const known = coin(4, 'Bitcoin', 'BTC');
    await db.coins.put(known);
    market.hits = [
      { id: 4, name: 'Bitcoin', symbol: 'BTC' },
      { id: 8, name: 'Bitcoin Two', symbol: 'BT2' },
    ];
    open();
    type('bitcoin');
    await waitFor(async () => expect(await db.coins.get(8)).toBeDefined());
    expect(await db.coins.get(4)).toEqual(known);
  });

  it('shows names as text, whatever they contain', async () => {
    market.hits = [
      { id: 5, name: '<img src=x onerror=alert(1)>', symbol: '<b>' },
      { id: 6, name: '\u202Eعملة img', symbol: 'RTL' },
    ];
    open();
    type('IMG');
    const hits = await screen.findAllByRole('link');
    await waitFor(() => expect(hits[0]?.querySelector('mark')?.textContent).toBe('img'));
    expect(hits[0]?.querySelector('bdi')?.textContent).toBe('<img src=x onerror=alert(1)>');
    expect(hits[1]?.querySelector('bdi')?.textContent).toBe('\u202Eعملة img');
    expect(document.querySelector('img[src="x"]')).toBeNull();
  });
});
