import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CoinHeart } from '#client/features/watchlist/coin-heart.tsx';
import { setHeart } from '#client/features/watchlist/hearts.ts';
import { heartsLane } from '#client/features/watchlist/send-hearts.ts';
import WatchlistPage from '#client/features/watchlist/watchlist-page.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { coin, source } from '../market/fake-market.tsx';

let users = 0;
let userId: string;
const db = () => userDb(userId);

const listed = (coins: CryptoItem[]) => ({ status: 200, body: { status: 200, data: coins, source, ids: coins.map(({ id }) => id) } });
const BITCOIN = coin(1, 'Bitcoin', 'BTC');
const ETHEREUM = coin(2, 'Ethereum', 'ETH');

const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
      <WatchlistPage />
    </SWRConfig>,
  );
const names = () => screen.getAllByRole('link', { name: /MCap/ }).map((row) => row.querySelector('bdi')?.textContent);
const heart = (name: string) => screen.findByRole('button', { name: `Remove ${name} from watchlist` });

beforeEach(async () => {
  users += 1;
  userId = `watchlist-${users}`;
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  cleanup();
  fakeApi({});
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

describe('the watchlist page', () => {
  it('lists watched coins with link and heart, and reloads them on leaving', async () => {
    const asked = fakeApi({ [`POST /api/watchlist/${userId}`]: listed([BITCOIN, ETHEREUM]) });
    const page = show();
    await heart('Ethereum');
    expect(names()).toEqual(['Bitcoin', 'Ethereum']);
    expect(screen.getByRole('link', { name: /Ethereum/ }).getAttribute('href')).toBe('/crypto/details/2');
    expect(screen.getByRole('link', { name: /Ethereum/ }).textContent).toContain('$1,002.00');
    expect(asked.map(({ body }) => body)).toEqual([{ limit: 100, convert: 'USD', search: '', page: 1 }]);
    page.unmount();
    await waitFor(() => expect(asked).toHaveLength(2));
  });

  it('removes a coin at once, and leaves Undo with the focus in its place', async () => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([BITCOIN, ETHEREUM]) });
    show();
    const first = await heart('Bitcoin');
    first.focus();
    fireEvent.click(first);
    await waitFor(() => expect(names()).toEqual(['Ethereum']));
    const undo = await screen.findByRole('button', { name: 'Undo removing Bitcoin' });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    expect(await db().outbox.count()).toBe(1);
    fireEvent.click(undo);
    await waitFor(() => expect(names()).toEqual(['Bitcoin', 'Ethereum']));
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Bitcoin from watchlist'));
  });

  it('keeps Undo for the last coin, and for several coins in their places', async () => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([BITCOIN, ETHEREUM]) });
    show();
    fireEvent.click(await heart('Bitcoin'));
    fireEvent.click(await heart('Ethereum'));
    const rows = () => within(screen.getByRole('list', { name: 'Watchlist' })).getAllByRole('listitem');
    await waitFor(() => expect(rows().map(({ textContent }) => textContent)).toEqual(['Bitcoin removedUndo', 'Ethereum removedUndo']));
    fireEvent.click(screen.getByRole('button', { name: 'Undo removing Bitcoin' }));
    await waitFor(() => expect(names()).toEqual(['Bitcoin']));
    expect(rows()[1]?.textContent).toBe('Ethereum removedUndo');
  });

  it('orders coins by keyboard, says each step, and Escape cancels', async () => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([BITCOIN, ETHEREUM, coin(3, 'Doge', 'DOGE')]) });
    show();
    await heart('Bitcoin');
    fireEvent.click(screen.getByRole('button', { name: 'Watchlist actions' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Change order' }));
    const handle = await screen.findByRole('button', { name: 'Move Bitcoin, 1 of 3' });
    handle.focus();
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    press(' ');
    expect(said()).toContain('Bitcoin grabbed, position 1 of 3. Use the arrow keys to move it, Space to drop it, Escape to cancel.');
    press('End');
    expect(said()).toContain('Bitcoin, position 3 of 3.');
    press('Escape');
    expect(said()).toContain('Move canceled. Bitcoin is at position 1 of 3.');
    expect(await db().outbox.count()).toBe(0);
    press(' ');
    press('ArrowDown');
    press(' ');
    expect(said()).toContain('Bitcoin dropped, position 2 of 3.');
    await waitFor(() => expect(names()).toEqual(['Ethereum', 'Bitcoin', 'Doge']));
    await waitFor(async () => expect(await db().outbox.toArray()).toMatchObject([{ body: { cryptoId: 1, beforeId: 3 } }]));
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Bitcoin, 2 of 3'));
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    await heart('Bitcoin');
    await waitFor(() => expect(names()).toEqual(['Ethereum', 'Bitcoin', 'Doge']));
  });

  it('searches the device, stores the text in the address, and can be cleared', async () => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([BITCOIN, ETHEREUM]) });
    show();
    await heart('Bitcoin');
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'eth' } });
    await waitFor(() => expect(names()).toEqual(['Ethereum']));
    await waitFor(() => expect(location.search).toBe('?q=eth'));
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nothing like it' } });
    await screen.findByText('No watchlist data found!');
    act(() => screen.getAllByRole('button', { name: 'Clear search' }).at(-1)?.click());
    await waitFor(() => expect(names()).toEqual(['Bitcoin', 'Ethereum']));
  });

  it('links to the market while it is empty', async () => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([]) });
    show();
    await screen.findByText('No watchlist data found!');
    expect(screen.getByRole('link', { name: 'See the market' }).getAttribute('href')).toBe('/crypto');
  });

  it('says why it failed to load', async () => {
    fakeApi({});
    show();
    expect((await screen.findByRole('alert')).textContent).toContain('Your watchlist could not be loaded');
  });

  it('is readable offline, with waiting changes applied', async () => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([BITCOIN]) });
    show();
    await heart('Bitcoin');
    cleanup();
    fakeApi({});
    await setHeart(db(), userId, { id: 7, symbol: '<b>', name: '<img src=x onerror=alert(1)>' }, true);
    show();
    await heart('<img src=x onerror=alert(1)>');
    await waitFor(() => expect(names()).toEqual(['<img src=x onerror=alert(1)>', 'Bitcoin']));
    await screen.findByText(/^Offline · saved/);
  });

  it('shows a refused change, and discards it', async () => {
    fakeApi({
      [`POST /api/watchlist/${userId}`]: listed([]),
      'POST /api/watchlist': refusal(400, 'A watchlist holds up to 500 coins.'),
    });
    await setHeart(db(), userId, ETHEREUM, true);
    await drainLane(db(), heartsLane);
    show();
    await screen.findByText(/A watchlist holds up to 500 coins\./);
    expect(screen.getByText('Ethereum was not added to the watchlist.')).toBeDefined();
    act(() => screen.getByRole('button', { name: 'Discard' }).click());
    await waitFor(() => expect(screen.queryByText(/was not added/)).toBeNull());
    expect(await db().outbox.count()).toBe(0);
  });
});

describe('importing a file', () => {
  async function choose(content: string, name = 'coins.csv') {
    fireEvent.click(screen.getByRole('button', { name: 'Watchlist actions' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Import from CSV' }));
    const input = (await screen.findByLabelText('Choose CSV file')) as HTMLInputElement;
    fireEvent.change(input, { target: { files: [new File([content], name)] } });
  }

  it('shows what is added and what is left out, then adds in the order of the file', async () => {
    fakeApi({
      [`POST /api/watchlist/${userId}`]: listed([BITCOIN]),
      'GET /api/coin-market/global-search/doge': {
        status: 200,
        body: { status: 200, data: [{ id: 74, name: 'Dogecoin', symbol: 'DOGE' }] },
      },
      'GET /api/coin-market/global-search/nope': { status: 200, body: { status: 200, data: [] } },
    });
    await db().coins.bulkPut([ETHEREUM, coin(8, 'One', 'TWIN'), coin(9, 'Two', 'TWIN')]);
    show();
    await heart('Bitcoin');
    await choose('symbol\nDOGE\nETH\nBTC\nNOPE\nTWIN');
    await screen.findByText('Adds 2 coins');
    expect(within(screen.getByRole('list', { name: 'Coins to add' })).getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getByText('1 coin already in your watchlist.')).toBeDefined();
    expect(screen.getByText('Not found, left out: NOPE.')).toBeDefined();
    expect(screen.getByText(/^Several coins have this symbol, left out: TWIN\./)).toBeDefined();
    expect(await db().outbox.count()).toBe(0);
    fireEvent.click(screen.getByRole('button', { name: 'Add 2 coins' }));
    await waitFor(() => expect(names()).toEqual(['Dogecoin', 'Ethereum', 'Bitcoin']));
  });

  it('searches only the device without a server, and says so', async () => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([BITCOIN]) });
    show();
    await heart('Bitcoin');
    await choose('symbol\nDOGE');
    await screen.findByText('Some entries were searched on this device only.');
    expect(screen.queryByRole('button', { name: /^Add/ })).toBeNull();
  });

  it.each([
    ['x'.repeat(1_000_001), /larger than 1 MB/],
    ['', /names no coin/],
  ])('refuses a file that is too large or empty (%#)', async (content, reason) => {
    fakeApi({ [`POST /api/watchlist/${userId}`]: listed([]) });
    show();
    await screen.findByText('No watchlist data found!');
    await choose(content);
    expect((await screen.findByRole('alert')).textContent).toMatch(reason);
  });
});

describe("a coin's heart", () => {
  it('changes at once, waits offline, and reports when it was sent', async () => {
    fakeApi({});
    reportUnreachable();
    const onSent = vi.fn();
    render(<CoinHeart coin={BITCOIN} onSent={onSent} />);
    const button = await screen.findByRole('button', { name: 'Add Bitcoin to watchlist', pressed: false });
    fireEvent.click(button);
    const pressed = await screen.findByRole('button', { name: 'Remove Bitcoin from watchlist', pressed: true });
    expect(pressed.getAttribute('aria-description')).toBe('Will be sent once you are online.');
    expect(onSent).not.toHaveBeenCalled();

    fakeApi({ 'POST /api/watchlist': { status: 200, body: { status: 200, data: { cryptoId: 1, isWatchListed: true } } } });
    await drainLane(db(), heartsLane);
    await waitFor(() => expect(onSent).toHaveBeenCalledTimes(1));
    expect(await db().watchlist.toArray()).toEqual([{ id: 1, place: 0 }]);
  });

  it('uses the details until the watchlist is known', async () => {
    render(<CoinHeart coin={BITCOIN} told />);
    await screen.findByRole('button', { name: 'Remove Bitcoin from watchlist' });
    await db().stamps.put({ key: 'watchlist', savedAt: 1 });
    await screen.findByRole('button', { name: 'Add Bitcoin to watchlist' });
  });
});
