import { render, renderHook, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useListedCoins } from '#client/coins/listed-coins.ts';
import { CoinDetails } from '#client/features/market/coin/coin-details.tsx';
import { coinListResource } from '#client/features/market/list/coin-list-resource.ts';
import { load } from '#client/platform/cache/resource.ts';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { broadcastSignOut } from '#client/platform/session/sign-out-in-other-tabs.ts';
import { DEFAULT_CHOICE } from '#domain/market/list-address.ts';
import { quote } from '#tests/support/market/quotes.ts';
import { alone, closeMarket, coin, details, type FakeMarket, openMarket } from '../fake-market.tsx';

let market: FakeMarket;
let db: UserDb;
let userId: string;

beforeEach(async () => {
  ({ market, db, userId } = await openMarket());
});

afterEach(async () => {
  vi.restoreAllMocks();
  await closeMarket();
});

const bitcoin = coin(1, 'Bitcoin', 'BTC');
const open = (id: number | undefined) => render(alone(<CoinDetails id={id} />));
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
/** On the first page of a visit. */
function drawNoFrame() {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'navigate' } as never]);
  vi.stubGlobal('requestAnimationFrame', () => 0);
}

describe('the page of a coin', () => {
  it('shows price, change, statistics, links and tags', async () => {
    market.details.set(
      1,
      details(bitcoin, { websiteUrl: 'https://bitcoin.org/', explorerUrl: 'https://blockchain.info/', tags: [{ name: 'PoW' }] }),
    );
    open(1);
    await heading('Bitcoin');
    expect(screen.getByText('$1,001.00')).toBeDefined();
    expect(screen.getByText('1.50%').textContent).toBe('up 1.50%');
    expect((await screen.findByText('$2.0M')).previousSibling?.textContent).toBe('Market Cap');
    expect(await screen.findByText('PoW')).toBeDefined();
    const website = screen.getByRole('link', { name: 'Website' });
    expect(website.getAttribute('href')).toBe('https://bitcoin.org/');
    expect(website.getAttribute('rel')).toContain('noopener');
    expect(screen.getAllByRole('link')).toHaveLength(2);
    expect(screen.getByText('Demo data')).toBeDefined();
  });

  it.each([
    ['beside the list scrolls its pane to the top', 1280, 1],
    ['on a phone leaves that to the router, because it costs a layout', 390, 0],
  ])('%s', async (_name, width, calls) => {
    const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: { width: number }): void } };
    happyDOM.setViewport({ width });
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
    market.details.set(1, details(bitcoin));
    open(1);
    await heading('Bitcoin');
    expect(scroll).toHaveBeenCalledTimes(calls);
    scroll.mockRestore();
    happyDOM.setViewport({ width: 1024 });
  });

  it('shows the price in the first frame, the rest in later ones', async () => {
    market.details.set(1, details(bitcoin));
    drawNoFrame();
    open(1);
    expect((await screen.findByText('$1,001.00')).textContent).toBe('$1,001.00');
    expect(screen.queryByRole('heading', { name: 'Statistics' })).toBeNull();
  });

  it('shows all at once when it takes over from a stored screen, which has shown all', async () => {
    market.details.set(1, details(bitcoin));
    document.body.insertAdjacentHTML('beforeend', '<div id="first-screen"></div>');
    drawNoFrame();
    open(1);
    await heading('Bitcoin');
    expect(screen.getByRole('heading', { name: 'Statistics' })).toBeDefined();
    document.getElementById('first-screen')?.remove();
  });

  it('leaves out missing links and tags', async () => {
    market.details.set(1, details(bitcoin, { total_supply: 21_000_000 }));
    open(1);
    await heading('Bitcoin');
    // Comes with the links and tags.
    await screen.findByText('Total Supply');
    expect(screen.queryByRole('heading', { name: 'Links' })).toBeNull();
    expect(screen.queryByRole('heading', { name: 'Tags' })).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('shows at most ten tags, each once', async () => {
    const tags = ['same', 'same', ...Array.from({ length: 12 }, (_, at) => `tag ${at}`)].map((name) => ({ name }));
    market.details.set(1, details(bitcoin, { tags }));
    open(1);
    const list = (await screen.findByRole('heading', { name: 'Tags' })).parentElement as HTMLElement;
    expect(within(list).getAllByRole('listitem')).toHaveLength(10);
    expect(within(list).getAllByText('same')).toHaveLength(1);
  });

  it('has no arrow for a change of zero', async () => {
    market.details.set(1, details(coin(1, 'Still', 'STL', { quote: { USD: quote({ price: 1, percent_change_24h: 0 }) } })));
    open(1);
    await heading('Still');
    expect(screen.getByText('0.00%').querySelector('svg')).toBeNull();
  });

  it('shows names as text, whatever they contain', async () => {
    market.details.set(1, details(coin(1, '<img src=x onerror=alert(1)>', 'XSS'), { tags: [{ name: '<b>bold</b>' }] }));
    const { container } = open(1);
    await heading('<img src=x onerror=alert(1)>');
    expect(container.querySelector('img[src="x"], b')).toBeNull();
    expect(await screen.findByText('<b>bold</b>')).toBeDefined();
  });

  it('shows figures of the list at once, and says offline what is not stored', async () => {
    market.coins = [bitcoin];
    await load(db, coinListResource, DEFAULT_CHOICE);
    market.offline = true;
    open(1);
    await heading('Bitcoin');
    expect(await screen.findByText(/Supply, links and tags/)).toBeDefined();
    expect(await screen.findByText(/^Offline · saved/)).toBeDefined();
    expect(screen.getByText('$1,001.00')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('shows what a list on the screen showed in its first frame, with its age', async () => {
    const source = { name: 'Demo', demo: true, asOf: new Date().toISOString() };
    const list = { coins: [bitcoin], source, savedAt: Date.now() - 3 * 60_000 };
    renderHook(() => useListedCoins(userId, list));
    market.offline = true;
    open(1);
    expect(screen.getByRole('heading', { level: 1, name: 'Bitcoin' })).toBeDefined();
    expect(screen.getByText('$1,001.00')).toBeDefined();
    expect(screen.getByText('1.50%')).toBeDefined();
    expect(screen.getByText(/saved 3 min ago/i)).toBeDefined();
    expect(screen.queryByText(/Supply, links and tags/)).toBeNull();
  });

  it('keeps them on a device that can store nothing, beside the details once they come', async () => {
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    renderHook(() => useListedCoins(userId, { coins: [bitcoin], source: undefined, savedAt: Date.now() }));
    const first = open(1);
    expect(await screen.findByText(/Supply, links and tags/)).toBeDefined();
    await heading('Bitcoin');
    first.unmount();
    market.details.set(1, details(bitcoin, { max_supply: 21_000_000 }));
    open(1);
    expect(await screen.findByText('21.0M BTC')).toBeDefined();
    await vi.waitFor(() => expect(console.error).toHaveBeenCalledWith('an answer could not be stored', 'coin/1', expect.anything()));
    expect(screen.getByText('21.0M BTC')).toBeDefined();
  });

  it('shows nothing of a list after the sign-out', async () => {
    const list = { coins: [bitcoin], source: undefined, savedAt: Date.now() };
    renderHook(() => useListedCoins(userId, list));
    broadcastSignOut('ada');
    market.offline = true;
    open(1);
    expect(screen.queryByText('Bitcoin')).toBeNull();
  });

  it('shows the age of a list with filters', async () => {
    market.coins = [bitcoin];
    await load(db, coinListResource, { ...DEFAULT_CHOICE, filters: { priceMin: '1' } });
    market.offline = true;
    open(1);
    await heading('Bitcoin');
    expect(await screen.findByText(/^Offline · saved/)).toBeDefined();
  });

  it('opens offline if it was opened before', async () => {
    market.details.set(1, details(bitcoin, { max_supply: 21_000_000 }));
    const first = open(1);
    expect(await screen.findByText('21.0M BTC')).toBeDefined();
    first.unmount();
    market.offline = true;
    open(1);
    expect(await screen.findByText('21.0M BTC')).toBeDefined();
    expect(await screen.findByText(/^Offline · saved/)).toBeDefined();
    expect(screen.queryByText(/Supply, links and tags/)).toBeNull();
  });

  it('says that a coin that is not stored cannot be shown offline', async () => {
    market.offline = true;
    open(1);
    expect((await screen.findByRole('alert')).textContent).toContain('This coin could not be loaded');
  });

  it('says that a coin was not found', async () => {
    open(404);
    expect(await screen.findByText('Coin not found.')).toBeDefined();
  });

  it('says that only exchanges know a coin, and offers to try again', async () => {
    market.missing = { code: 'awaits_exchanges', message: 'Only exchanges have figures of Rare. They have not answered yet.' };
    open(404);
    expect((await screen.findByRole('alert')).textContent).toContain('Only exchanges have figures of Rare.');
    expect(screen.queryByText('Coin not found.')).toBeNull();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });

  it('sends no request for an invalid address', async () => {
    open(undefined);
    expect(screen.getByText('Coin not found.')).toBeDefined();
    expect(market.asked).toEqual([]);
  });
});
