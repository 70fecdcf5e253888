import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CoinRow } from '#client/coins/coin-row.tsx';
import { lateParts } from '#client/coins/wide/late-parts.ts';
import { ticks } from '#client/platform/live/coin-ticks.ts';
import type { CryptoItem, Period } from '#contract/market/market.ts';
import { quote } from '#tests/support/market/quotes.ts';

const { Cells, Heads, Line } = lateParts;
const coin: CryptoItem = {
  id: 1,
  name: 'Bitcoin',
  symbol: 'BTC',
  rank: 1,
  quote: {
    USD: quote({ price: 5, percent_change_1h: 1, percent_change_24h: -2, percent_change_7d: 3, percent_change_30d: 4, volume_24h: 2e9 }),
  },
  line_7d: Array.from({ length: 24 }, (_, at) => at + 1),
};

afterEach(cleanup);

const row = (more: Partial<CryptoItem> = {}, period: Period = '24h', wide = true) => (
  <CoinRow
    coin={{ ...coin, ...more }}
    currency="USD"
    period={period}
    href="/crypto/details/1"
    current={false}
    ticks={ticks}
    wide={wide}
    Cells={wide ? Cells : undefined}
    Line={Line}
  />
);

it('a wide row tells the changes of three periods and the volume, each with its name', () => {
  const { rerender } = render(row());
  expect(screen.getByRole('link').textContent).toMatch(/down 2\.00%1hr up 1\.00%7d up 3\.00%Volume \$2\.0B$/);
  rerender(row({}, '30d'));
  expect(screen.getByRole('link').textContent).toMatch(/up 4\.00%1hr up 1\.00%24hrs down 2\.00%Volume \$2\.0B$/);
});

it('a row has a line that assistive technology skips, and none without a history', () => {
  const { container, rerender } = render(row({}, '24h', false));
  const line = () => container.querySelector('svg[viewBox="0 0 92 28"]');
  expect(line()?.getAttribute('aria-hidden')).toBe('true');
  expect(line()?.getAttribute('data-way')).toBe('up');
  expect(line()?.querySelector('path')?.getAttribute('d')).toMatch(/^M0 26L4 25L.*L92 2$/);
  rerender(row({ line_7d: [...(coin.line_7d ?? [])].reverse() }, '24h', false));
  expect(line()?.getAttribute('data-way')).toBe('down');
  rerender(row({ line_7d: null }, '24h', false));
  expect(line()).toBeNull();
});

it('a line of equal prices has finite points', () => {
  const { container } = render(<Line prices={[1, 1, 1]} />);
  expect(container.querySelector('path')?.getAttribute('d')).toBe('M0 26L4 26L8 26');
});

it('the headings sort, say how, and go back to the order of the ranking', () => {
  const onSort = vi.fn();
  const heads = (sort: string) => <Heads period="24h" sort={sort} onSort={onSort} />;
  const { rerender } = render(heads(''));
  fireEvent.click(screen.getByRole('button', { name: '7d' }));
  expect(onSort).toHaveBeenLastCalledWith('7d');
  rerender(heads('7d'));
  expect(screen.getByRole('columnheader', { name: '7d' }).getAttribute('aria-sort')).toBe('descending');
  fireEvent.click(screen.getByRole('button', { name: '7d' }));
  expect(onSort).toHaveBeenLastCalledWith('-7d');
  rerender(heads('-7d'));
  expect(screen.getByRole('columnheader', { name: '7d' }).getAttribute('aria-sort')).toBe('ascending');
  fireEvent.click(screen.getByRole('button', { name: '7d' }));
  expect(onSort).toHaveBeenLastCalledWith('');
  fireEvent.click(screen.getByRole('button', { name: 'Coin' }));
  expect(onSort).toHaveBeenLastCalledWith('-name');
});
