import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MarketTabs } from '#client/coins/market-tabs/market-tabs.tsx';

const stay = (event: Event) => event.preventDefault();
beforeEach(() => document.addEventListener('click', stay));
afterEach(() => document.removeEventListener('click', stay));

const tab = (name: string) => screen.getByRole('link', { name });

it('keeps the focus on the tab that was followed, on the page that it opens', () => {
  render(<MarketTabs current="/crypto" />);
  fireEvent.click(tab('Watchlist'));
  cleanup();
  render(<MarketTabs current="/crypto/watchlist" />);
  expect(document.activeElement).toBe(tab('Watchlist'));
  cleanup();
  render(<MarketTabs current="/crypto" />);
  expect(document.activeElement).toBe(document.body);
});

it('takes no focus on a page that was opened otherwise', () => {
  render(<MarketTabs current="/crypto" />);
  fireEvent.click(tab('Watchlist'));
  cleanup();
  render(<MarketTabs current="/crypto" />);
  cleanup();
  render(<MarketTabs current="/crypto/watchlist" />);
  expect(document.activeElement).toBe(document.body);
});
