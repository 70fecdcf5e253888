import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TopMovers } from '#client/features/market/home/top-movers.tsx';
import { quote } from '#tests/support/market/quotes.ts';
import { alone, closeMarket, coin, type FakeMarket, openMarket } from '../fake-market.tsx';

let market: FakeMarket;

beforeEach(async () => {
  ({ market } = await openMarket());
});
afterEach(closeMarket);

it('the movers are the coins that rose and fell most, with an error that can be retried', async () => {
  const moved = (id: number, percent_change_24h: number) =>
    coin(id, `Coin ${id}`, `C${id}`, { quote: { USD: quote({ price: 1, percent_change_24h }) } });
  market.offline = true;
  render(alone(<TopMovers />));
  expect((await screen.findByRole('alert')).textContent).toContain('The market could not be loaded');
  market.offline = false;
  market.coins = [moved(1, 1), moved(2, 9), moved(3, -7), moved(4, 5), moved(5, -1), moved(6, 0.5), moved(7, -3), moved(8, 2)];
  screen.getByRole('button', { name: 'Try again' }).click();
  const rows = await screen.findAllByRole('link', { name: /^Coin \d/ });
  expect(rows.map((row) => row.getAttribute('href'))).toEqual([2, 4, 8, 3, 7, 5].map((id) => `/crypto/details/${id}`));
});
