import { render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CoinDetails } from '#client/features/market/coin/coin-details.tsx';
import type { CryptoDetails } from '#contract/market/coin-details.ts';
import { MINUTE } from '#domain/clock.ts';
import { alone, closeMarket, coin, details, type FakeMarket, openMarket } from '../fake-market.tsx';

let market: FakeMarket;

beforeEach(async () => {
  ({ market } = await openMarket());
});
afterEach(closeMarket);

async function explained(more: Partial<CryptoDetails>): Promise<HTMLElement> {
  market.details.set(1, details(coin(1, 'Bitcoin', 'BTC'), more));
  render(alone(<CoinDetails id={1} />));
  const summary = await screen.findByText('Where does this number come from?');
  return summary.parentElement as HTMLElement;
}

describe('the page of a coin says where its price comes from', () => {
  it('names each exchange with its price and age, and the spread', async () => {
    market.source = { name: 'Public exchanges', demo: false, asOf: new Date().toISOString() };
    const asOf = (age: number) => new Date(Date.now() - age).toISOString();
    const sources = [
      { name: 'Kraken', price: 100.5, asOf: asOf(0) },
      { name: '<b>Binance</b>', price: 100.25, asOf: asOf(3 * MINUTE) },
    ];
    const shown = await explained({ sources, spread: 0.2494, market_cap_estimated: true });
    expect(
      within(shown).getByText('The price is the median of 2 exchanges, weighted by volume. Highest and lowest differ by 0.25%.'),
    ).toBeDefined();
    expect(
      within(shown)
        .getAllByRole('listitem', { hidden: true })
        .map(({ textContent }) => textContent),
    ).toEqual(['Kraken$100.50just now', '<b>Binance</b>$100.253 min ago']);
    expect(within(shown).getByText('The market cap is an estimate: the price times the last known supply.')).toBeDefined();
    expect(shown.textContent).not.toContain('demo');
  });

  it('says that demo figures are no market prices', async () => {
    const shown = await explained({});
    expect(shown.textContent).toContain('These are demo figures, not market prices. Source: Demo snapshot of 21 Feb 2025.');
    expect(shown.textContent).not.toMatch(/exchange|estimate/);
  });
});
