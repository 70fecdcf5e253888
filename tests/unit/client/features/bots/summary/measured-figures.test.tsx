import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { MeasuredFigures } from '#client/features/bots/summary/measured-figures.tsx';
import { BACKTESTS, type Held, type IntervalFigures } from '#domain/bots/backtest-figures.ts';

afterEach(cleanup);

const percent = (fraction: number | null) => `${((fraction ?? Number.NaN) * 100).toFixed(1)}%`;
const figuresOf = ({ annual_return, max_drawdown }: Held) => [percent(annual_return), percent(max_drawdown)];
const rows = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [
      within(row).getByRole('rowheader').textContent,
      ...within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ]);

it.each(Object.entries(BACKTESTS.intervals))(
  'shows the measured figures of %s candles, the unseen part first',
  (interval, figures: IntervalFigures) => {
    render(<MeasuredFigures interval={interval} />);
    const [unseen, whole] = screen.getAllByRole('table') as [HTMLElement, HTMLElement];
    expect(within(unseen).getByText(/2023.*2026, not fitted$/)).toBeDefined();
    expect(rows(unseen)).toEqual([
      ['Strategy', ...figuresOf(figures.unseen)],
      ['Median of 36 settings', ...figuresOf(figures.combinations)],
      ['Median of random entries', ...figuresOf(figures.random_entries)],
      ['Buy and hold', ...figuresOf(figures.unseen_held)],
    ]);
    expect(rows(whole)).toEqual([
      ['Strategy', ...figuresOf(figures.whole)],
      ['Buy and hold', ...figuresOf(figures.whole_held)],
    ]);
    expect(screen.getByText('The profit outside the fitted years is not statistically proven. It can be chance.')).toBeDefined();
    const { mean, low, high } = figures.per_trade;
    const [average, from, to] = [mean, low, high].map((fraction) => `${(fraction * 100).toFixed(2)}%`);
    const told = screen.getByText(/trades made/).textContent;
    expect(told).toContain(
      `${figures.unseen.trades} trades made ${average} of the bot's money each on average. The 95% interval is ${from} to ${to}.`,
    );
    expect(told).toContain(`earned more in ${(figures.random_entries.better * 100).toFixed(0)}% of 200 runs.`);
  },
);

it('says that a candle length was not measured, and shows no figures', () => {
  render(<MeasuredFigures interval="15m" />);
  expect(screen.getByText(/^No backtest covers 15m candles/)).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});
