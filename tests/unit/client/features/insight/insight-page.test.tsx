import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import IndicatorPage from '#client/features/insight/indicator-page.tsx';
import InsightPage from '#client/features/insight/insight-page.tsx';
import { nearestLevels } from '#client/features/insight/levels.ts';
import { signalMessage } from '#client/features/insight/signal-message.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { useSession } from '#client/platform/session/use-session.ts';
import type { Indicator, IndicatorLevel } from '#contract/market/indicator.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';
import { config, ok } from '../bots/fake-bots.tsx';

// The library draws the chart. The tests check the text version beside it.
vi.mock('#client/coins/chart/candle-chart.tsx', () => ({ CandleChart: ({ label }: { label: string }) => <p>{label}</p> }));

const level = (kind: IndicatorLevel['kind'], price: number, strength = 1, touches = 3): IndicatorLevel => ({
  kind,
  price,
  strength,
  touches,
  last_touch: 0,
});
const indicator = (timeframe: Indicator['timeframe'], close = 60_000): Indicator => ({
  timeframe,
  source: 'Real history, replayed',
  speed: 60,
  candles: [
    { time: 0, open: 1, high: 1, low: 1, close: 1, volume: 1 },
    { time: 3_600_000, open: 59_000, high: 61_000, low: 58_000, close, volume: 5 },
  ],
  levels: [level('support', 58_000, 0.3, 1), level('resistance', 62_000)],
  signal: { action: 'long', setup: 'bounce', stop: 57_500, target: 62_000 },
});

beforeEach(async () => {
  localStorage.removeItem('training-insight-page');
  await userDb('user-1').delete();
  await userDb('user-1').open();
  await signIn(makeTokens(), true);
  reportReachable();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await endSession();
});

const Indicated = () => useSession().status === 'signed-in' && <IndicatorPage />;
const show = (page: ReactNode) =>
  render(<SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>{page}</SWRConfig>);

describe('the training insight', () => {
  it('shows an introduction and the indicator, goes back, and reopens the last one shown', async () => {
    fakeApi({ 'GET /api/config': config() });
    show(<InsightPage />);
    expect(screen.getByText("An exchange account registered with Tidemark's referral code is required.")).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Sign Up' }).disabled).toBe(true);
    const signUp = await screen.findByRole('link', { name: 'Sign Up' });
    expect(['href', 'target', 'rel'].map((name) => signUp.getAttribute(name))).toEqual([
      'https://exchange.example/register',
      '_blank',
      'noopener noreferrer',
    ]);
    expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/home');

    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    const frame = screen.getByTitle('Chart Analysis');
    expect(frame.getAttribute('src')).toBe('/indicator');
    expect(screen.getByText('Loading')).toBeDefined();
    fireEvent.load(frame);
    expect(screen.queryByText('Loading')).toBeNull();

    cleanup();
    show(<InsightPage />);
    expect(screen.getByTitle('Chart Analysis')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByRole('button', { name: 'Continue' })).toBeDefined();
    expect(localStorage.getItem('training-insight-page')).toBe('intro');
  });
});

describe('the indicator', () => {
  it('shows price, signal and levels of each timeframe', async () => {
    fakeApi({ 'GET /api/indicator/1h': ok(indicator('1h')), 'GET /api/indicator/1d': ok(indicator('1d', 60_500)) });
    show(<Indicated />);
    expect(await screen.findByText('It would go long on a bounce off a level: stop $57,500.00, target $62,000.00.')).toBeDefined();
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows).toEqual([
      'Resistance$62,000.003.33% above, strong, 3 touches',
      'Price$60,000.00',
      'Support$58,000.003.33% below, weak, 1 touch',
    ]);
    expect(screen.getByText('Replay ×60')).toBeDefined();
    expect(screen.getByRole('heading').textContent).toBe('BTC replay $60,000.00');
    fireEvent.click(screen.getByRole('radio', { name: '1 day' }));
    await waitFor(() => expect(screen.getByRole('heading').textContent).toBe('BTC replay $60,500.00'));
  });

  it('shows stored data offline, and says when there is none', async () => {
    await userDb('user-1').indicators.put(indicator('1h'));
    await userDb('user-1').stamps.put({ key: 'indicator/1h', savedAt: Date.now() - 300_000 });
    fakeApi({});
    show(<Indicated />);
    expect(await screen.findByText('Offline · saved 5 min ago')).toBeDefined();
    expect(screen.getByRole('list', { name: 'Levels around the price' })).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: '4 hours' }));
    expect(await screen.findByText('The levels could not be loaded')).toBeDefined();
  });

  it('describes a signal without an entry', () => {
    expect(signalMessage({ action: 'wait', setup: null, stop: null, target: null })).toMatch(/^No entry right now/);
    expect(signalMessage({ action: 'short', setup: null, stop: null, target: null })).toBe('It would go short.');
  });

  it('lists the levels nearest to the price', () => {
    const levels = [1, 2, 3, 4, 5, 6].map((price) => level(price < 3.5 ? 'support' : 'resistance', price));
    expect(nearestLevels(levels, 3.5, 2).map(({ price }) => price)).toEqual([5, 4, 3, 2]);
  });
});
