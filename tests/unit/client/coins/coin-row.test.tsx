import { act, render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { CoinIcon } from '#client/coins/coin-icon.tsx';
import { CoinRow } from '#client/coins/coin-row.tsx';
import type { Ticks } from '#client/coins/live-figures.ts';
import type { CoinTick } from '#contract/market/coin-ticks.ts';
import type { CryptoItem, Currency, Period } from '#contract/market/market.ts';
import { quote } from '#tests/support/market/quotes.ts';

vi.mock('#client/coins/coin-icon.tsx', { spy: true });

const BITCOIN: CryptoItem = {
  id: 1,
  symbol: 'BTCLONGER',
  name: 'Bitcoin',
  rank: 1,
  quote: {
    USD: quote({ price: 100, market_cap: 2_000_000, percent_change_24h: 1.5, percent_change_7d: -4 }),
    BTC: quote({ price: 1, market_cap: 20_000 }),
  },
};
const tick = (price: number, change: number): CoinTick => ({
  id: 1,
  quote: {
    USD: { price, market_cap: price * 20_000, percent_change_24h: change },
    BTC: { price: price / 100, market_cap: 1, percent_change_24h: 0 },
  },
});

/** Ticks that the test sends. */
function source() {
  const followers = new Set<(tick: CoinTick) => void>();
  let last: CoinTick | undefined;
  const ticks: Ticks = {
    latest: () => last,
    follow(_id, listener) {
      followers.add(listener);
      return () => void followers.delete(listener);
    },
  };
  const tell = (next: CoinTick) => {
    last = next;
    for (const follower of followers) follower(next);
  };
  const forget = () => {
    last = undefined;
  };
  return { ticks, tell, forget, followers };
}

function show(coin = BITCOIN) {
  const { ticks, ...rest } = source();
  const row = (it: CryptoItem, currency: Currency = 'USD', period: Period = '24h') => (
    <CoinRow coin={it} currency={currency} period={period} href="/crypto/details/1" current={false} ticks={ticks} />
  );
  const { container, rerender, unmount } = render(row(coin));
  const way = () => container.querySelector<HTMLElement>('[data-way]')?.dataset.way;
  const tint = () => container.querySelector<HTMLElement>('[data-tint]')?.dataset.tint;
  const skip = (skipped: boolean) =>
    container.querySelector('li')?.dispatchEvent(Object.assign(new Event('contentvisibilityautostatechange'), { skipped }));
  return {
    ...rest,
    unmount,
    way,
    skip,
    tint,
    text: () => container.textContent,
    draw: (...as: Parameters<typeof row>) => rerender(row(...as)),
  };
}

it('shows its figures at once', () => {
  const { text, way, tint } = show();
  expect(text()).toBe('BTCBitcoinBTCLONMCap $2.0M$100.00up 1.50%');
  expect([way(), tint()]).toEqual(['up', undefined]);
});

it('shows ticks, and tints the price by its direction', () => {
  const { tell, text, way, tint } = show();
  tell(tick(99, -0.5));
  expect(text()).toBe('BTCBitcoinBTCLONMCap $2.0M$99.00down 0.50%');
  expect([way(), tint()]).toEqual(['down', 'down']);
  tell(tick(101, 0));
  expect(text()).toBe('BTCBitcoinBTCLONMCap $2.0M$101.000.00%');
  expect([way(), tint()]).toEqual(['flat', 'up']);
});

it('keeps the values of ticks across renders, and shows the stored values once they are dropped', () => {
  const { tell, forget, text, draw } = show();
  tell(tick(120, 2));
  draw(BITCOIN, 'USD', '7d');
  expect(text()).toContain('$120.00down 4.00%');
  draw(BITCOIN, 'BTC', '24h');
  expect(text()).toContain('₿1.200000');
  forget();
  draw({ ...BITCOIN, quote: { USD: quote({ price: 121 }) } });
  expect(text()).toContain('$121.00');
  // Back to the first values: React already rendered them and would skip the write.
  draw(BITCOIN);
  expect(text()).toContain('$100.00');
});

it('does not tint another currency, a first figure, or an invisible change', () => {
  const { tell, draw, tint } = show({ ...BITCOIN, quote: { USD: quote({}) } });
  tell(tick(1, 1));
  expect(tint()).toBeUndefined();
  draw(BITCOIN, 'BTC');
  expect(tint()).toBeUndefined();
});

it('stops listening when it unmounts', () => {
  const { followers, unmount } = show();
  expect(followers.size).toBe(1);
  act(unmount);
  expect(followers.size).toBe(0);
});

it('ignores ticks while the browser skips the row, and shows the latest one without a tint afterwards', () => {
  const { tell, text, tint, skip, followers } = show();
  skip(true);
  expect(followers.size).toBe(0);
  tell(tick(99, -0.5));
  expect(text()).toContain('$100.00');
  skip(false);
  expect(text()).toContain('$99.00');
  expect(tint()).toBeUndefined();
  tell(tick(101, 0));
  expect([text()?.includes('$101.00'), tint()]).toEqual([true, 'up']);
});

it('shows the figures of a refetch without rendering its elements', () => {
  const rendered = vi.mocked(CoinIcon).mock.calls;
  const { draw, text } = show();
  const before = rendered.length;
  draw({ ...BITCOIN, quote: { USD: quote({ price: 121 }) } });
  expect(text()).toContain('$121.00');
  expect(rendered.length).toBe(before);
  draw({ ...BITCOIN, name: 'Bit' });
  expect(text()).toContain('Bit');
  expect(rendered.length).toBeGreaterThan(before);
});

it('rerenders only if a visible value changes', () => {
  const follow = vi.fn(() => () => {});
  const latest = vi.fn();
  const ticks: Ticks = { latest, follow };
  const row = (coin: CryptoItem) => (
    <CoinRow coin={coin} currency="USD" period="24h" href="/crypto/details/1" current={false} ticks={ticks} />
  );
  const { rerender } = render(row(BITCOIN));
  const drawn = latest.mock.calls.length;
  rerender(row(structuredClone({ ...BITCOIN, rank: 5 })));
  expect(latest.mock.calls.length).toBe(drawn);
  rerender(row({ ...BITCOIN, name: 'Bit' }));
  expect(latest.mock.calls.length).toBeGreaterThan(drawn);
});
