import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { alertCommands } from '#client/features/alerts/alert-commands.ts';
import AlertsPage from '#client/features/alerts/alerts-page.tsx';
import { CoinAlerts } from '#client/features/alerts/coin-alerts.tsx';
import { FiredAlert } from '#client/features/alerts/fired-alert.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { Alert, Firing } from '#contract/alerts/alert.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { firingOf, storedAlert } from '#tests/support/alerts/stored-alert.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { coin } from '../market/fake-market.tsx';

let users = 0;
let userId: string;
const db = () => userDb(userId);

function answer(alerts: Alert[], firings: Firing[] = []) {
  const ok = (data: unknown) => ({ status: 200, body: { status: 200, data } });
  return fakeApi({ [`GET /api/alerts/${userId}`]: ok(alerts), [`GET /api/alerts/${userId}/history`]: ok(firings) });
}

const show = (page: ReactNode = <AlertsPage />) =>
  render(<SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>{page}</SWRConfig>);
const rows = async (name = 'Price alerts') => within(await screen.findByRole('list', { name })).getAllByRole('listitem');
const bodies = async () => (await alertCommands(db())).map(({ body }) => body);

async function choose(alert: string, action: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Actions of the alert ${alert}` }));
  fireEvent.click(await screen.findByRole('menuitem', { name: action }));
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));

beforeEach(async () => {
  users += 1;
  userId = `alerts-page-${users}`;
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  cleanup();
  fakeApi({});
  reportReachable();
  await endSession();
  vi.unstubAllGlobals();
});

describe('the page of alerts', () => {
  it('lists each with what it waits for and does, and the history with links that draw the level', async () => {
    const firing = firingOf();
    answer(
      [
        storedAlert({ level_name: 'Resistance', note: 'Sell', rearms: true, created_at: '2026-11-25T13:00:00.000Z' }),
        storedAlert({ kind: 'percent', coin: null, percent: -5, period: '1h', created_at: '2026-11-25T12:00:00.000Z' }),
        storedAlert({ state: 'waiting', kind: 'below', created_at: '2026-11-25T11:00:00.000Z' }),
        storedAlert({ paused: true }),
        storedAlert({ expires_at: '2026-01-01T00:00:00.000Z', created_at: '2026-11-25T09:00:00.000Z' }),
      ],
      [firing],
    );
    show();
    await waitFor(async () => expect(await rows()).toHaveLength(5));
    const texts = (await rows()).map(({ textContent }) => textContent);
    expect(texts.slice(0, 4)).toEqual([
      'BTCAbove Resistance, $100.00SellOn · Repeats',
      'Every coin of the watchlistFalls 5.00% in 1hOn',
      'BTCBelow $100.00waits until the price leaves the level',
      'BTCAbove $100.00Paused',
    ]);
    expect(texts[4]).toContain('Expired');
    const link = await screen.findByRole('link', { name: /BTC rose to \$101\.50/ });
    expect(link.getAttribute('href')).toBe(`/crypto/details/1?alert=${firing.id}`);
    expect(link.textContent).toContain('Above Resistance, $100.00 · Kraken BTC/USD');
  });

  it('reads alerts and history again when one fires', async () => {
    const alert = storedAlert();
    answer([alert]);
    show();
    await screen.findByText('On');
    answer([{ ...alert, state: 'done', fired_at: '2026-11-25T12:00:00.000Z' }], [firingOf()]);
    const told = { id: 'n', created_at: '2026-11-25T12:00:00.000Z', notification_text: 'BTC rose', link: null, read: false };
    // The first notification may be there before the page looks for news.
    let count = 0;
    await waitFor(async () => {
      await db().notifications.put({ ...told, id: `n${count++}`, kind: 'alert', created_at: new Date(Date.now() + count).toISOString() });
      expect(screen.getByText(/^Fired/)).toBeTruthy();
    });
    await screen.findByText('BTC rose to $101.50');
  });

  it('says that there are none yet, and why they could not be loaded', async () => {
    answer([]);
    show();
    await screen.findByText('No price alerts yet');
    cleanup();
    await db().stamps.clear();
    fakeApi({ [`GET /api/alerts/${userId}`]: refusal(500, 'The server has a problem.') });
    show();
    await screen.findByText('Your alerts could not be loaded');
    expect(screen.getByText(/They stay on/)).toBeTruthy();
  });

  it('pauses, and deletes with Undo in its place', async () => {
    const alert = storedAlert();
    answer([alert]);
    show();
    await choose('BTC: Above $100.00', 'Pause');
    await screen.findByText('Not sent yet');
    await choose('BTC: Above $100.00', 'Delete');
    const undo = await screen.findByRole('button', { name: 'Undo deleting BTC: Above $100.00' });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    fireEvent.click(undo);
    await screen.findByRole('button', { name: 'Actions of the alert BTC: Above $100.00' });
    expect((await bodies()).map(({ kind, id }) => [kind, id])).toEqual([
      ['pause', alert.id],
      ['delete', alert.id],
      ['put', alert.id],
    ]);
  });

  it('edits an alert with the fields that it has', async () => {
    const alert = storedAlert({ note: 'old' });
    answer([alert]);
    show();
    await choose('BTC: Above $100.00', 'Edit');
    expect((screen.getByLabelText('Price in USD') as HTMLInputElement).value).toBe('100');
    type('Note (optional)', 'new');
    type('Price in USD', '120');
    press('Save');
    await screen.findByText('Above $120.00');
    expect(await bodies()).toMatchObject([{ kind: 'put', id: alert.id, body: { alert: { price: 120, note: 'new' }, seen: null } }]);
  });

  it('sets one for the whole watchlist offline, and says when it starts', async () => {
    answer([]);
    show();
    await screen.findByText('No price alerts yet');
    reportUnreachable();
    fireEvent.click(screen.getByRole('button', { name: 'Watchlist alert' }));
    await screen.findByText('You are offline. The alert starts once you are back online.');
    expect(screen.queryByLabelText('Price in USD')).toBeNull();
    type('Change in percent', '5');
    press('Set alert');
    await screen.findByText('Rises 5.00% in 24h');
    expect(await bodies()).toMatchObject([{ kind: 'put', body: { alert: { coin: null, kind: 'percent', percent: 5 }, seen: null } }]);
  });

  it('shows a refused change with its reason until it is discarded', async () => {
    answer([]);
    const body = { kind: 'pause', userId, id: 'a', title: 'BTC: Above $1.00', paused: true };
    await db().outbox.add({ id: 'c', lane: 'alerts', body, createdAt: 1, attempts: 1, state: 'parked', reason: 'You have 100 alerts.' });
    show();
    await screen.findByText(/was not saved. You have 100 alerts./);
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByText(/was not saved/)).toBeNull());
  });
});

describe('a coin’s page', () => {
  const { id, name, symbol, quote } = coin(1, 'Bitcoin', 'BTC');
  const page = <CoinAlerts coin={{ id, name, symbol }} quote={quote} />;

  it('sets an alert at a price that is typed in USD, and sends the price that the user saw', async () => {
    answer([storedAlert({ coin: { id: 2, name: 'Ethereum', symbol: 'ETH' } })]);
    show(page);
    fireEvent.click(screen.getByRole('button', { name: 'Set alert' }));
    const field = screen.getByLabelText('Price in USD');
    expect(screen.getByText('Now $1,001.00')).toBeTruthy();
    press('Set alert');
    await screen.findByText('Enter a price in USD, such as 61250.50');
    await waitFor(() => expect(document.activeElement).toBe(field));
    type('Price in USD', '900');
    type('Note (optional)', 'kept');
    press('Set alert');
    await screen.findByText('The price is already $1,001.00. Enter a higher price, or choose Below');
    expect((screen.getByLabelText('Note (optional)') as HTMLInputElement).value).toBe('kept');
    type('Price in USD', '1,101.10');
    expect(screen.getByText('Now $1,001.00, +10.00% from here')).toBeTruthy();
    press('Set alert');
    await screen.findByText('Above $1,101.10');
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(await bodies()).toMatchObject([{ kind: 'put', body: { alert: { price: 1101.1, note: 'kept' }, seen: 1001 } }]);
  });

  it('keeps the name of a level of the chart', async () => {
    answer([]);
    const bar = (day: number, high: number, low: number) => ({ time: day * 86_400_000, open: 1000, high, low, close: 1000, volume: null });
    const candles = Array.from({ length: 40 }, (_, day) => bar(day, day % 10 === 5 ? 1200 : 1010, day % 10 === 0 ? 800 : 990));
    await db().candles.put({
      id: 'candles/1/3M',
      source: 'x',
      interval: 86_400_000,
      demo: false,
      asOf: '2026-11-25T10:00:00.000Z',
      candles,
    });
    show(page);
    fireEvent.click(screen.getByRole('button', { name: 'Set alert' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Support $800.00' }));
    press('Set alert');
    await screen.findByText('Below Support, $800.00');
    expect(await bodies()).toMatchObject([{ body: { alert: { kind: 'below', price: 800, level_name: 'Support' } } }]);
  });
});

describe('a tapped alert', () => {
  it('draws its level, and asks the analyst about the move', async () => {
    const firing = firingOf();
    answer([], [firing]);
    const [onLevel, onAsk] = [vi.fn(), vi.fn()];
    show(<FiredAlert id={firing.id} coinId={1} onLevel={onLevel} onAsk={onAsk} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Ask about this move' }));
    expect(onLevel).toHaveBeenLastCalledWith({ price: 100, title: 'Resistance' });
    expect(onAsk).toHaveBeenCalledWith(
      userId,
      'BTC rose to $101.50 on 2026-11-25 12:00 UTC. My alert was at $100.00 (Resistance). What moved the price?',
    );
  });

  it('of another coin, or one that is gone, draws nothing', async () => {
    const firing = firingOf();
    answer([], [firing]);
    const onLevel = vi.fn();
    show(<FiredAlert id={firing.id} coinId={2} onLevel={onLevel} onAsk={() => undefined} />);
    await screen.findByText('This alert is not in your history.');
    expect(onLevel).not.toHaveBeenCalledWith(expect.objectContaining({ price: 100 }));
  });
});
