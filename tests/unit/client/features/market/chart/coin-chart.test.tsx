import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showMoney } from '#client/coins/money/money.ts';
import { createMoney } from '#client/coins/money/other-money.ts';
import { type AlertParts, AlertsSlot } from '#client/features/market/alerts-slot.ts';
import { ChartFrame } from '#client/features/market/chart/provider/coin-chart-frame.tsx';
import { PROVIDER_LIMIT_MS, rememberProvider } from '#client/features/market/chart/provider/coin-chart-provider.ts';
import { CoinDetails } from '#client/features/market/coin/coin-details.tsx';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { reportUnreachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import { dailyCandles } from '#tests/support/market/daily-candles.ts';
import { alone, closeMarket, coin, details, type FakeMarket, openMarket } from '../fake-market.tsx';

interface DrawnProps {
  candles: unknown[];
  count: number;
  label: string;
  compared?: unknown[];
  lines?: unknown[];
}

// Only a browser draws it, so the end-to-end tests cover the drawing.
vi.mock('#client/coins/chart/candle-chart.tsx', () => ({
  CandleChart: ({ candles, count, label, compared, lines }: DrawnProps) => (
    <div
      role="img"
      aria-label={label}
      data-drawn={Math.min(count, candles.length)}
      data-compared={compared?.length}
      data-lines={lines && JSON.stringify(lines)}
    />
  ),
}));

let market: FakeMarket;
let db: UserDb;

beforeEach(async () => {
  ({ market, db } = await openMarket());
  market.details.set(1, details(coin(1, 'Bitcoin', 'BTC'), { max_supply: 21_000_000 }));
  rememberProvider(false, Date.now());
});

afterEach(async () => {
  rememberProvider(true, Date.now());
  localStorage.clear();
  await closeMarket();
});

const open = () => render(alone(<CoinDetails id={1} />));
const chart = () => screen.findByRole('img', { name: /^Daily candles of Bitcoin in USD/ });
const frame = () => screen.queryByTitle<HTMLIFrameElement>('Daily chart of Bitcoin in USD');
/** The window inside the frame, whose page is not loaded here. */
function inside(): Window {
  const page = {} as Window;
  Object.defineProperty(frame(), 'contentWindow', { value: page });
  return page;
}
const say = (source: Window, data: unknown) => act(() => void dispatchEvent(new MessageEvent('message', { data, source })));

const LEVEL = { price: 450, title: 'Resistance' };

/** The alert in the address. */
function Fired({ onLevel }: { onLevel: (level: typeof LEVEL) => void }) {
  useEffect(() => onLevel(LEVEL), [onLevel]);
  return null;
}

describe('our own chart', () => {
  it('draws the level of a tapped alert, in place of the chart of TradingView', async () => {
    rememberProvider(true, Date.now());
    market.candles.set(1, dailyCandles(400));
    history.replace('/crypto/details/1?alert=fired');
    const alertParts: AlertParts = { button: () => null, list: () => null, fired: (_id, _coin, onLevel) => <Fired onLevel={onLevel} /> };
    const load = async () => ({ alertParts });
    render(
      alone(
        <AlertsSlot value={load}>
          <CoinDetails id={1} />
        </AlertsSlot>,
      ),
    );
    await waitFor(async () => expect((await chart()).dataset.lines).toBe('[{"price":450,"title":"Resistance","tone":"ink-2"}]'));
    expect(screen.queryByRole('button', { name: /TradingView/ })).toBeNull();
    history.replace('/');
  });

  it('describes the chosen period in text', async () => {
    market.candles.set(1, dailyCandles(400));
    open();
    const picture = await chart();
    expect(picture.dataset.drawn).toBe('90');
    expect(picture.getAttribute('aria-label')).toBe(
      'Daily candles of Bitcoin in USD, Nov 7, 2023 to Feb 4, 2024: last close $499.00, low $405.00, high $504.00.',
    );
    expect(screen.getByText(/Made up for tests/)).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: '1 month' }));
    await waitFor(async () => expect((await chart()).dataset.drawn).toBe('30'));
    expect(screen.getByText(/^Jan 6 – Feb 4, 2024: low \$465\.00, high \$504\.00, \+6\.40%\.$/)).toBeDefined();
  });

  it('opens offline if it was opened before', async () => {
    market.candles.set(1, dailyCandles(40));
    const first = open();
    await chart();
    first.unmount();
    market.offline = true;
    open();
    await chart();
    expect(await screen.findByText('21.0M BTC')).toBeDefined();
  });

  it('names days without data', async () => {
    const history = dailyCandles(40);
    history.candles.splice(10, 20);
    market.candles.set(1, history);
    open();
    expect(await screen.findByText(/No data between Jan 10, 2023 and Jan 31, 2023\.$/)).toBeDefined();
  });

  it.each([
    [0, 'There are no daily prices of Bitcoin yet.'],
    [1, 'A chart needs two days of prices. The first day is Jan 1, 2023.'],
  ])('says so with %s days, and keeps its place', async (count, reason) => {
    market.candles.set(1, dailyCandles(count));
    open();
    expect(await screen.findByText(reason)).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
    expect(screen.getAllByRole('radio', { name: /day|month|year|All/ })).toHaveLength(6);
  });

  it('says why a day has no chart where only days are recorded, and offers a period that has one', async () => {
    market.candles.set(1, dailyCandles(5));
    open();
    await chart();
    fireEvent.click(screen.getByRole('radio', { name: '1 day' }));
    expect(await screen.findByText('There are no hourly prices of Bitcoin for 1 day. Daily prices cover Jan 1 – 5, 2023.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Show 1 month' }));
    expect((await chart()).dataset.drawn).toBe('5');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '1 month' }).checked).toBe(true);
  });

  it('keeps the history that an earlier version stored, and says until when it goes', async () => {
    await db.candles.put({ ...dailyCandles(40), id: 'candles/1/ALL', interval: 86_400_000, demo: false, asOf: '2023-02-09T00:00:00.000Z' });
    await db.coins.put(coin(1, 'Bitcoin', 'BTC'));
    market.offline = true;
    open();
    expect((await chart()).dataset.drawn).toBe('40');
    expect(await screen.findByText('Prices until Feb 9, 2023')).toBeDefined();
  });

  it('says offline which period is not stored, and shows the end of a longer one', async () => {
    market.candles.set(1, dailyCandles(400));
    open();
    await chart();
    market.offline = true;
    act(() => reportUnreachable());
    fireEvent.click(screen.getByRole('radio', { name: '1 month' }));
    await waitFor(async () => expect((await chart()).dataset.drawn).toBe('30'));
    fireEvent.click(screen.getByRole('radio', { name: '1 day' }));
    expect(await screen.findByText('Offline. The chart of 1 day is not on this device yet.')).toBeDefined();
    expect(screen.queryByRole('img', { name: /candles of Bitcoin/ })).toBeNull();
  });

  it('shows its candles as a table, the newest first', async () => {
    market.candles.set(1, dailyCandles(40));
    open();
    await chart();
    fireEvent.click(screen.getByRole('button', { name: 'Table', pressed: false }));
    const table = await screen.findByRole('table');
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Date', 'Open', 'High', 'Low', 'Close']);
    expect(within(table).getAllByRole('rowheader')[0]?.textContent).toBe('Feb 9, 2023');
    await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(41));
    fireEvent.click(screen.getByRole('button', { name: 'Table', pressed: true }));
    await chart();
  });

  it('compares with another coin of the device, in percent', async () => {
    market.candles.set(1, dailyCandles(40));
    market.candles.set(2, dailyCandles(30));
    await db.coins.put(coin(2, 'Ethereum', 'ETH'));
    open();
    await chart();
    fireEvent.click(screen.getByRole('button', { name: /Compare with/ }));
    fireEvent.click(await screen.findByRole('option', { name: 'Ethereum (ETH)' }));
    await waitFor(async () => expect((await chart()).dataset.compared).toBe('30'));
    expect(screen.getByText(/ETH: \+/)).toBeDefined();
  });

  it('does not delay the figures without a history', async () => {
    open();
    expect(await screen.findByText('21.0M BTC')).toBeDefined();
  });
});

describe('the chart of the provider', () => {
  beforeEach(() => {
    // A frame that is silent for longer than its limit has failed; a busy machine may be slower.
    const { setTimeout: wait } = globalThis;
    const held = (work: () => void, ms?: number, ...rest: unknown[]) => (ms === PROVIDER_LIMIT_MS ? 0 : wait(work, ms, ...rest));
    vi.stubGlobal('setTimeout', Object.assign(held, wait));
    rememberProvider(true, Date.now());
    localStorage.clear();
  });

  it('replaces ours once it is drawn, until the connection is lost', async () => {
    market.candles.set(1, dailyCandles(40));
    open();
    await chart();
    expect(frame()?.getAttribute('src')).toBe('/chart-frame?symbol=BTCUSD');
    expect(frame()?.getAttribute('sandbox')).toBe('allow-scripts allow-popups');
    expect(frame()?.parentElement?.inert).toBe(true);

    const page = inside();
    say(window, { type: 'chart-ready' });
    say(page, 'chart-ready');
    say(page, { type: 'something' });
    expect(frame()?.parentElement?.inert).toBe(true);

    say(page, { type: 'chart-ready' });
    expect(frame()?.parentElement?.inert).toBe(false);
    expect(screen.queryByRole('img', { name: /^Daily candles/ })).toBeNull();

    market.offline = true;
    act(() => reportUnreachable());
    await chart();
    expect(frame()).toBeNull();
  });

  it('says that it stays in USD while another currency is shown', async () => {
    const rates = { EUR: 0.5, GBP: 1, JPY: 1, CHF: 1, CAD: 1, AUD: 1, INR: 1, BRL: 1, KRW: 1, TRY: 1 };
    showMoney(createMoney('EUR', { date: '2026-11-24', source: 'Reference rates', rates }));
    try {
      open();
      await screen.findByText('21.0M BTC');
      expect(screen.queryByText(/is in USD/)).toBeNull();
      say(inside(), { type: 'chart-ready' });
      expect(screen.getByText("TradingView's chart is in USD. Tidemark's chart is in EUR.")).toBeDefined();
    } finally {
      showMoney(undefined);
    }
  });

  it('is not retried for a while after a failure', async () => {
    market.candles.set(1, dailyCandles(40));
    const first = open();
    await chart();
    say(inside(), { type: 'chart-failed' });
    expect(frame()).toBeNull();
    first.unmount();
    open();
    await chart();
    expect(frame()).toBeNull();
  });

  it('is not tried for a symbol that no exchange lists', async () => {
    market.candles.set(1, dailyCandles(40));
    market.details.set(1, details(coin(1, 'Bitcoin', '$BTC"><script>')));
    open();
    await chart();
    expect(frame()).toBeNull();
  });

  it('fails when it sends no message', async () => {
    vi.useFakeTimers();
    try {
      const settled = vi.fn();
      render(<ChartFrame symbol="BTCUSD" name="Bitcoin" shown={false} onSettled={settled} />);
      vi.advanceTimersByTime(PROVIDER_LIMIT_MS - 1);
      expect(settled).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(settled).toHaveBeenCalledExactlyOnceWith(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives way to ours on request, which the device remembers', async () => {
    market.candles.set(1, dailyCandles(40));
    const first = open();
    await chart();
    say(inside(), { type: 'chart-ready' });
    fireEvent.click(screen.getByRole('button', { name: /^Show Tidemark's chart/ }));
    await chart();
    expect(frame()).toBeNull();
    first.unmount();
    open();
    await chart();
    expect(frame()).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: "Show TradingView's chart" }));
    expect(frame()).not.toBeNull();
  });
});
