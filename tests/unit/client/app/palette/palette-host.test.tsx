import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PaletteHost } from '#client/app/palette/palette-host.tsx';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { slashOpensPalette } from '#client/platform/device-choices/slash-opens-palette.ts';
import { openPalette, paletteOpen } from '#client/platform/palette.ts';
import { history } from '#client/platform/router/history.ts';
import { endSession } from '#client/platform/session/session.ts';
import { alone, closeMarket, coin, type FakeMarket, openMarket } from '#tests/unit/client/features/market/fake-market.tsx';

let market: FakeMarket;
let db: UserDb;

beforeEach(async () => {
  ({ market, db } = await openMarket());
  await db.coins.bulkPut([coin(1, 'Bitcoin', 'BTC'), coin(1027, 'Ethereum', 'ETH', { rank: 2 }), coin(1839, 'BNB', 'BNB', { rank: 3 })]);
  await db.archives.bulkPut([
    { id: 'a1', archive_title: 'Ethereum levels', created_at: '2026-01-02T00:00:00.000Z' },
    { id: 'a2', archive_title: 'Gas fees', created_at: '2026-01-01T00:00:00.000Z' },
  ]);
});

afterEach(async () => {
  act(() => paletteOpen.set(false));
  await closeMarket();
});

const show = (around = <p>Page</p>) =>
  render(
    alone(
      <>
        {around}
        <PaletteHost />
      </>,
    ),
  );
const field = () => screen.findByRole('combobox');
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } });
const options = () => screen.queryAllByRole('option').map((option) => option.getAttribute('href'));
const active = () =>
  document.getElementById(screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '')?.getAttribute('href');
const key = (name: string, more: object = {}) => fireEvent.keyDown(document.activeElement ?? document.body, { key: name, ...more });

describe('the palette', () => {
  it.each([
    ['/', {}],
    ['k', { ctrlKey: true }],
    ['k', { metaKey: true }],
  ])('opens on %s %o with the focus in its field', async (name, more) => {
    show();
    key(name, more);
    const input = await field();
    expect(document.activeElement).toBe(input);
  });

  it('leaves / to a field, and Ctrl+K opens it there too', async () => {
    show(<input aria-label="Name" />);
    screen.getByRole('textbox').focus();
    key('/');
    expect(paletteOpen.get()).toBe(false);
    key('k', { ctrlKey: true });
    expect(await field()).toBeDefined();
  });

  it('leaves / alone when the user has turned it off', async () => {
    slashOpensPalette.set(false);
    show();
    key('/');
    expect(paletteOpen.get()).toBe(false);
    key('k', { ctrlKey: true });
    expect(await field()).toBeDefined();
    expect(document.documentElement.dataset.slash).toBe('off');
    act(() => slashOpensPalette.set(true));
    expect(document.documentElement.dataset.slash).toBe('on');
  });

  it('stays closed over another dialog and for a visitor', async () => {
    show();
    document.documentElement.toggleAttribute('data-modal', true);
    key('/');
    document.documentElement.toggleAttribute('data-modal', false);
    expect(paletteOpen.get()).toBe(false);
    await act(() => endSession());
    key('/');
    act(openPalette);
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  it('offers top coins, recent chats and pages before the user types', async () => {
    show();
    act(openPalette);
    await waitFor(() => expect(options()).toContain('/crypto/details/1'));
    await waitFor(() => expect(options()).toContain('/chat/archive/a1'));
    expect(options()).toContain('/settings/help-center');
    expect(screen.getAllByRole('group').map((group) => group.firstChild?.textContent)).toEqual(['Coins', 'Recent chats', 'Pages']);
  });

  it('finds coins with price and change, chats and pages, also with a typo', async () => {
    show();
    act(openPalette);
    await waitFor(() => expect(options()).toContain('/chat/archive/a1'));
    await type('ethereum');
    await waitFor(() => expect(options()).toEqual(['/crypto/details/1027', '/crypto/details/1027#alert', '/chat/archive/a1']));
    expect(screen.getAllByRole('option')[0]?.textContent).toMatch(/ETH\$2,027\.00up 1\.50%$/);
    await type('etherium');
    await waitFor(() => expect(options()).toEqual(['/crypto/details/1027']));
    await type('watchlst');
    await waitFor(() => expect(options()).toEqual(['/crypto/watchlist']));
  });

  it('finds a chat by what was said in it', async () => {
    await db.messages.put({ id: 'm1', archive_id: 'a2', position: 1, user_message: 'Why a halving?', ai_response: '' } as never);
    show();
    act(openPalette);
    await type('halving');
    await waitFor(() => expect(options()).toEqual(['/chat/archive/a2']));
  });

  it('works without a connection, and says so', async () => {
    market.offline = true;
    show();
    act(openPalette);
    await type('bnb');
    await waitFor(() => expect(options()).toEqual(['/crypto/details/1839', '/crypto/details/1839#alert']));
    expect(await screen.findByText(/Offline\. Found on this device, with saved prices\./)).toBeDefined();
  });

  it('adds coins of the server below those of the device, and takes its figures', async () => {
    market.hits = [
      { id: 900, name: 'Bitcoin Cash', symbol: 'BCH', price: 5, percent_change_24h: 0 },
      { id: 1, name: 'Bitcoin', symbol: 'BTC', price: 7, percent_change_24h: 0 },
    ];
    show();
    act(openPalette);
    await type('bitcoin');
    await waitFor(() => expect(options()).toEqual(['/crypto/details/1', '/crypto/details/900', '/crypto/details/1#alert']));
    await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toContain('$7.00'));
  });

  it('moves through the results by arrow keys, and Enter opens the active one and closes the palette', async () => {
    let opened: string | null = null;
    const follow = (event: MouseEvent) => {
      event.preventDefault();
      opened = (event.target as Element).closest('a')?.getAttribute('href') ?? null;
      if (opened) history.push(opened);
    };
    document.addEventListener('click', follow);
    show();
    act(openPalette);
    await waitFor(() => expect(options()).toContain('/chat/archive/a1'));
    await type('e');
    await waitFor(() => expect(options().length).toBeGreaterThan(3));
    const all = options();
    expect(active()).toBe(all[0]);
    key('ArrowDown');
    expect(active()).toBe(all[1]);
    key('ArrowUp');
    key('ArrowUp');
    expect(active()).toBe(all.at(-1));
    key('Enter');
    expect(opened).toBe(all.at(-1));
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
    document.removeEventListener('click', follow);
  });

  it('opens what the typed text finds, also when Enter follows at once', async () => {
    const clicked: (string | null)[] = [];
    const follow = (event: MouseEvent) => {
      event.preventDefault();
      clicked.push((event.target as Element).getAttribute('href'));
    };
    document.addEventListener('click', follow);
    show();
    act(openPalette);
    await waitFor(() => expect(options()).toContain('/crypto/details/1'));
    await type('bnb');
    key('Enter');
    expect(clicked).toEqual(['/crypto/details/1839']);
    document.removeEventListener('click', follow);
  });

  it('says when nothing matches, whatever was typed', async () => {
    show();
    act(openPalette);
    for (const text of ['<img src=x onerror=alert(1)>', '%%%', '\\(']) {
      await type(text);
      expect(await screen.findByText(`Nothing matches "${text}".`)).toBeDefined();
    }
    key('Enter');
    expect(await field()).toBeDefined();
  });

  it('closes on Ctrl+K and on Back', async () => {
    show();
    act(openPalette);
    await field();
    key('k', { ctrlKey: true });
    expect(screen.queryByRole('combobox')).toBeNull();
    act(openPalette);
    await field();
    act(() => history.replace('/home'));
    expect(screen.queryByRole('combobox')).toBeNull();
  });
});
