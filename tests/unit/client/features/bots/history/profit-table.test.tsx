import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ProfitTable } from '#client/features/bots/history/profit-table.tsx';
import { fakeApi } from '#tests/support/client/fake-api.ts';
import { fakeBots, ok, show, signInEachTest } from '../fake-bots.tsx';

signInEachTest();

it('adds up days and months, with the open position apart', async () => {
  const days = [
    { day: '2026-03-02', profit: 5.5, trades: 2 },
    { day: '2026-02-28', profit: -2.25, trades: 1 },
  ];
  fakeApi({ 'GET /api/v1/trading-bots/bot-1/profits': ok({ days }) });
  show(<ProfitTable botId="bot-1" position={{ unrealised_pnl: 6.25 }} />);
  const figures = (name: string) => async () => {
    const table = within(await screen.findByRole('table', { name }));
    return table
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
  };
  expect(await figures('By month')()).toEqual(['March 2026+$5.502', 'February 2026-$2.251', 'All+$3.253']);
  expect(await figures('By day')()).toEqual(['Mar 2, 2026+$5.502', 'Feb 28, 2026-$2.251']);
  expect(screen.getByText(/The open position \(\+\$6\.25\) is not\.$/)).toBeDefined();
});

it('says that there are no trades yet', async () => {
  fakeBots({});
  show(<ProfitTable botId="bot-1" position={null} />);
  expect(await screen.findByText('No trades yet.')).toBeDefined();
});

it('says what fractions of cents add to the sum of its lines, and calls nothing larger so', async () => {
  fakeApi({ 'GET /api/v1/trading-bots/bot-1/profits': ok({ days: [{ day: '2026-03-02', profit: -12.34, trades: 3 }] }) });
  const { rerender } = show(<ProfitTable botId="bot-1" position={{ unrealised_pnl: 6.25 }} gained={-6.1} />);
  expect(await screen.findByText(/Fractions of cents add -\$0\.01 to the bot's equity\.$/)).toBeDefined();
  rerender(<ProfitTable botId="bot-1" position={{ unrealised_pnl: 6.25 }} gained={12} />);
  expect(screen.queryByText(/Fractions of cents/)).toBeNull();
});
