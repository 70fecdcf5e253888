import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import MarketPage from '../../../../../src/client/features/market/market-page';
import { quote } from '../../../../support/quotes';
import { alone, closeMarket, coin, details, type FakeMarket, openMarket } from './fake-market';

let market: FakeMarket;

beforeEach(async () => {
  ({ market } = await openMarket());
});

afterEach(closeMarket);

const row = (name: string) => screen.findByRole('link', { name: new RegExp(name) });

describe('the market list', () => {
  it('shows each coin with symbol, price, change and market cap, and leads to its page', async () => {
    market.coins = [coin(5, 'Render', 'RENDERED'), coin(6, 'Fall', 'FALL', { quote: { USD: quote({ percent_change_24h: -2.5 }) } })];
    render(alone(<MarketPage />));
    const first = await row('Render');
    expect(first.getAttribute('href')).toBe('/crypto/details/5');
    expect(first.textContent).toMatch(/RENDER(?!E).*MCap \$2\.0M.*\$1,005\.00.*up 1\.50%/);
    expect((await row('Fall')).textContent).toMatch(/MCap –.*–.*down 2\.50%/);
    expect(screen.getByRole('link', { name: 'Search coin...' }).getAttribute('href')).toBe('/crypto/crypto-search');
    expect(screen.getByRole('link', { name: 'New Chat' }).getAttribute('href')).toBe('/chat');
    expect(screen.getByText('Demo data')).toBeDefined();
  });

  it('does not call a live market a demo', async () => {
    market.source = { ...market.source, demo: false };
    market.coins = [coin(1, 'Bitcoin', 'BTC')];
    render(alone(<MarketPage />));
    await row('Bitcoin');
    expect(screen.queryByText('Demo data')).toBeNull();
  });

  it('shows figures in BTC where there are none in USD', async () => {
    market.coins = [coin(5, 'Rare', 'RARE', { quote: { BTC: quote({ price: 0.5, market_cap: 1000 }) } })];
    render(alone(<MarketPage />));
    expect((await row('Rare')).textContent).toMatch(/MCap ₿1\.0K.*₿0\.500000/);
  });

  it('says so when there are no coins', async () => {
    render(alone(<MarketPage />));
    expect(await screen.findByText('No data found!')).toBeDefined();
  });

  it('says why it has nothing to show, and tries again', async () => {
    market.offline = true;
    render(alone(<MarketPage />));
    expect((await screen.findByRole('alert')).textContent).toContain('The market could not be loaded');
    market.offline = false;
    market.coins = [coin(1, 'Bitcoin', 'BTC')];
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    await row('Bitcoin');
  });

  it('stays readable without a connection', async () => {
    market.coins = [coin(1, 'Bitcoin', 'BTC')];
    const first = render(alone(<MarketPage />));
    await row('Bitcoin');
    first.unmount();
    market.offline = true;
    render(alone(<MarketPage />));
    await row('Bitcoin');
    expect(await screen.findByText(/^Offline · saved/)).toBeDefined();
  });

  it('marks the coin that is open beside it', async () => {
    market.coins = [coin(1, 'Bitcoin', 'BTC'), coin(2, 'Litecoin', 'LTC')];
    market.details.set(2, details(coin(2, 'Litecoin', 'LTC')));
    render(alone(<MarketPage cryptoId="2" />));
    await screen.findByRole('heading', { level: 1, name: 'Litecoin' });
    await waitFor(() => expect(screen.getByRole('link', { current: 'page' }).textContent).toContain('Litecoin'));
    expect((await row('Bitcoin')).getAttribute('aria-current')).toBeNull();
  });

  it('invites to choose while none is', async () => {
    render(alone(<MarketPage />));
    expect(screen.getByText('Choose a coin to see its figures.')).toBeDefined();
    await screen.findByText('No data found!');
  });
});
