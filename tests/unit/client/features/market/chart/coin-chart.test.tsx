import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChartFrame } from '#client/features/market/chart/coin-chart-frame.tsx';
import { PROVIDER_LIMIT_MS, rememberProvider } from '#client/features/market/chart/coin-chart-provider.ts';
import { CoinDetails } from '#client/features/market/coin/coin-details.tsx';
import { reportUnreachable } from '#client/platform/live/reachability.ts';
import { dailyCandles } from '#tests/support/market/daily-candles.ts';
import { alone, closeMarket, coin, details, type FakeMarket, openMarket } from '../fake-market.tsx';

// Only a browser draws it, so the end-to-end tests cover the drawing.
vi.mock('#client/coins/chart/candle-chart.tsx', () => ({
  CandleChart: ({ candles, count, label }: { candles: unknown[]; count: number; label: string }) => (
    <div role="img" aria-label={label} data-drawn={Math.min(count, candles.length)} />
  ),
}));

let market: FakeMarket;

beforeEach(async () => {
  ({ market } = await openMarket());
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

describe('our own chart', () => {
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
    expect((await chart()).dataset.drawn).toBe('30');
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

  it.each([0, 1])('takes no space with %s days', async (count) => {
    market.candles.set(1, dailyCandles(count));
    open();
    await screen.findByText('21.0M BTC');
    expect(screen.getByText('Daily chart').closest('section')?.inert).toBe(true);
    expect(screen.queryByRole('group')).toBeNull();
    expect(screen.queryByText(/Lightweight/)).toBeNull();
  });

  it('does not delay the figures without a history', async () => {
    open();
    expect(await screen.findByText('21.0M BTC')).toBeDefined();
  });
});

describe('the chart of the provider', () => {
  beforeEach(() => {
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

    act(() => reportUnreachable());
    await chart();
    expect(frame()).toBeNull();
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

  it('gets its place at once if it has drawn before and there is no history', async () => {
    rememberProvider(true, Date.now());
    open();
    await screen.findByText('21.0M BTC');
    await waitFor(() => expect(frame()?.parentElement?.inert).toBe(false));
  });
});
