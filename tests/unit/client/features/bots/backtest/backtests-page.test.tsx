import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import BacktestsPage from '#client/features/bots/backtest/backtests-page.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportUnreachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import type { Backtest, BacktestList, BacktestReport } from '#contract/bots/backtest.ts';
import { formatGain, sumOfCents } from '#domain/bots/bot-amounts.ts';
import { runRequest } from '#server/backtests/run-request.ts';
import { readCandles } from '#server/strategy/backtest/candle-file.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { command } from '#tools/commands/backtest.ts';
import { config, ok, show, signInEachTest } from '../fake-bots.tsx';

const LIST = 'GET /api/backtests';
const START = 'POST /api/backtests';
const ONE = 'GET /api/backtests/test-1';
const SHIPPED = resolve('src/server/ports/market-data/snapshot/btcusdt-spot-1h.csv.gz');

const backtest = (changes: Partial<Backtest> = {}): Backtest => ({
  id: 'test-1',
  status: 'RUNNING',
  progress: 0.42,
  reason: null,
  settings: { interval: '1h', from: '2023-02-01', to: '2023-04-30', position_size: '1000', leverage: '15', max_drawdown: '30' },
  created_at: '2026-03-01T00:00:00.000Z',
  performance: null,
  ...changes,
});
const list = (...backtests: Backtest[]): BacktestList => ({
  backtests,
  candles: [
    { interval: '15m', market: null, from: null, to: null },
    { interval: '1h', market: 'Binance BTC/USDT spot', from: '2023-01-01', to: '2025-01-20' },
  ],
});
const running: BacktestReport = { backtest: backtest(), result: null };
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

signInEachTest('/trading-bot/backtests');

describe('the backtests of a user', () => {
  it('start with the last year of the candles that the server has, and lead to the new one', async () => {
    const api = fakeApi({ [LIST]: ok(list()), 'GET /api/config': config(), [START]: ok(backtest({ status: 'QUEUED' }), 201) });
    show(<BacktestsPage />);
    await screen.findByText('Binance BTC/USDT spot, Jan 1, 2023 – Jan 20, 2025. Days are UTC.');
    expect(['First day', 'Last day', 'Position Size', 'Maximum leverage', 'Loss Limit'].map((label) => field(label).value)).toEqual([
      '2024-01-21',
      '2025-01-20',
      '1000',
      '15',
      '30',
    ]);
    type('Position Size', '2500');
    fireEvent.click(button('Run Backtest'));
    await waitFor(() => expect(history.location.pathname).toBe('/trading-bot/backtests/test-1'));
    const { body } = api.find(({ call }) => call === START) as { body: unknown };
    expect(body).toMatchObject({ interval: '1h', from: '2024-01-21', to: '2025-01-20', position_size: '2500', leverage: '15' });
  });

  it('take the settings of a bot from the address', async () => {
    history.replace('/trading-bot/backtests?interval=15m&position_size=700&max_drawdown=20');
    fakeApi({ [LIST]: ok(list()), 'GET /api/config': config() });
    show(<BacktestsPage />);
    expect(await screen.findByText('This server has no 15m candles. Choose another length.')).toBeDefined();
    expect([field('Position Size').value, field('Loss Limit').value]).toEqual(['700', '20']);
    expect(button('Run Backtest').disabled).toBe(true);
  });

  it('refuse reversed days, and say why the server refuses', async () => {
    const answer = refusal(503, 'Too many backtests are waiting. Try again in a few minutes.');
    fakeApi({ [LIST]: ok(list()), 'GET /api/config': config(), [START]: answer });
    show(<BacktestsPage />);
    await screen.findByLabelText('First day');
    type('Last day', '2023-01-01');
    fireEvent.click(button('Run Backtest'));
    expect(await screen.findByText('The last day must not be before the first day')).toBeDefined();
    type('Last day', '2024-12-31');
    fireEvent.click(button('Run Backtest'));
    expect(await screen.findByText('The backtest did not start')).toBeDefined();
    expect(screen.getByText(/Too many backtests are waiting/)).toBeDefined();
  });

  it('are listed, also offline, and run one at a time', async () => {
    const done = backtest({ id: 'test-0', status: 'DONE', performance: { ...performance, total_return: 0.1234 } });
    fakeApi({ [LIST]: ok(list(backtest(), done, backtest({ id: 'test-2', status: 'FAILED' }))), 'GET /api/config': config() });
    const { unmount } = show(<BacktestsPage />);
    const rows = await screen.findAllByRole('link', { name: /1h candles/ });
    expect(rows.map((row) => row.querySelector('span + span')?.textContent)).toEqual(['42%', '+12.34%', 'Failed']);
    expect(button('Run Backtest').disabled).toBe(true);
    await waitFor(async () => expect(await userDb('user-1').backtests.count()).toBe(1));
    unmount();
    fakeApi({});
    reportUnreachable();
    show(<BacktestsPage />);
    expect(await screen.findAllByRole('link', { name: /1h candles/ })).toHaveLength(3);
  });

  it('can be tried again when they cannot be loaded', async () => {
    fakeApi({ [LIST]: refusal(500, 'Something went wrong.'), 'GET /api/config': config() });
    show(<BacktestsPage />);
    expect(await screen.findByText('Your backtests could not be loaded')).toBeDefined();
    fakeApi({ [LIST]: ok(list()) });
    fireEvent.click(button('Try again'));
    expect(await screen.findByText(/You have no backtests/)).toBeDefined();
  });
});

const performance = {
  from: '2023-02-01T00:00:00.000Z',
  to: '2023-05-01T00:00:00.000Z',
  trades: 1,
  total_return: 0,
  annual_return: null,
  max_drawdown: 0,
  win_rate: null,
  profit_factor: null,
};

describe('the page of a backtest', () => {
  it('shows progress, and cancels', async () => {
    await userDb('user-1').backtests.put({ id: 'list', list: list(backtest()) });
    const api = fakeApi({ [ONE]: ok(running), 'DELETE /api/backtests/test-1': ok({ id: 'test-1' }) });
    show(<BacktestsPage backtestId="test-1" />);
    expect(await screen.findByText('42% done. You can leave this page.')).toBeDefined();
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.42);
    fireEvent.click(button('Cancel'));
    await waitFor(() => expect(history.location.pathname).toBe('/trading-bot/backtests'));
    expect(api.some(({ call }) => call === 'DELETE /api/backtests/test-1')).toBe(true);
    expect((await userDb('user-1').backtests.get('list'))?.list?.backtests).toEqual([]);
  });

  it('has the figures of npm run backtest, and trades that add up', async () => {
    const to = Date.UTC(2023, 4, 1);
    const data = { market: 'Binance BTC/USDT spot', candles: readCandles(gunzipSync(readFileSync(SHIPPED)).toString()) };
    const request = { data, interval: '1h', from: Date.UTC(2023, 1, 1), to, capital: 1000, leverage: 15, lossLimit: 30 } as const;
    const result = runRequest(request, () => undefined);
    fakeApi({ [ONE]: ok({ backtest: backtest({ status: 'DONE', performance: result.performance }), result }) });
    const { unmount } = show(<BacktestsPage backtestId="test-1" />);
    const figures = within(await screen.findByRole('region', { name: 'Figures' }));
    const shown = figures
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent ?? '').filter(Boolean));
    const args = ['--candles', SHIPPED, '--from', '2023-02-01', '--to', '2023-05-01', '--loss-limit', '30'];
    const printed = (await command(args, '/')).output.split('\n');
    const first = printed.findIndex((line) => line.startsWith('Start, USD'));
    expect(shown).toEqual(printed.slice(first, first + shown.length).map((line) => line.split(/ {2,}/)));
    expect(shown.length).toBe(14);

    const profits = () =>
      within(screen.getByRole('region', { name: 'Closed trades' }))
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.querySelector('[data-label=Profit]')?.textContent);
    const trades = result.trades;
    expect(profits()).toEqual(trades.map(({ pnl }) => formatGain(pnl)));
    fireEvent.click(button('Profit'));
    expect(profits()[0]).toBe(formatGain(Math.max(...trades.map(({ pnl }) => pnl))));
    const sum = sumOfCents(result.trades.map(({ pnl }) => pnl));
    const note = screen.getByText((text) => text.startsWith(`${trades.length} trades made ${formatGain(sum)}.`)).textContent;
    const rest = /adds? ([+-])\$([\d.]+)\.$/.exec(note) ?? ['', '+', '0'];
    expect(sumOfCents([1000, sum, Number(`${rest[1]}${rest[2]}`)])).toBe(result.end);
    expect(screen.getByRole('img', { name: /^Equity from .*, buy and hold \$1,[\d.]+ at the end/ })).toBeDefined();

    // The stored result stays readable offline.
    await waitFor(async () => expect((await userDb('user-1').backtests.get('test-1'))?.report?.result?.trade_count).toBe(trades.length));
    unmount();
    fakeApi({});
    reportUnreachable();
    show(<BacktestsPage backtestId="test-1" />);
    expect(await screen.findByRole('region', { name: 'Figures' })).toBeDefined();
    expect(button('Delete').getAttribute('aria-disabled')).toBe('true');
  });

  it('says why it failed, and offers its settings again', async () => {
    const reason = 'The server stopped during this backtest. Run it again.';
    fakeApi({ [ONE]: ok({ backtest: backtest({ status: 'FAILED', reason }), result: null }) });
    show(<BacktestsPage backtestId="test-1" />);
    expect(await screen.findByText(reason)).toBeDefined();
    const { href } = screen.getByRole<HTMLAnchorElement>('link', { name: 'Change settings' });
    expect(Object.fromEntries(new URL(href).searchParams)).toEqual(backtest().settings);
  });

  it('says that it is gone', async () => {
    fakeApi({ [ONE]: refusal(404, 'Not found.') });
    show(<BacktestsPage backtestId="test-1" />);
    expect(await screen.findByText('This backtest no longer exists')).toBeDefined();
  });
});
