import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Comparison } from '#client/features/bots/comparison/comparison.tsx';
import { reportUnreachable } from '#client/platform/live/reachability.ts';
import type { BotComparison, ComparedTradeAnswer } from '#contract/bots/bot-comparison.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { comparison, emptyDevice, ok, show, signInEachTest } from '../fake-bots.tsx';

const PATH = 'GET /api/v1/trading-bots/bot-1/comparison';

const trade = {
  opened_at: '2026-03-02T01:00:00.000Z',
  closed_at: '2026-03-02T09:00:00.000Z',
  quantity: 0.01,
  entry_price: 60_000,
  exit_price: 61_000,
  pnl: 9,
  reason: 'target',
};
const late: ComparedTradeAnswer = {
  ...{ signal_at: '2026-03-02T01:00:00.000Z', side: 'long', bot: { ...trade, pnl: 4.9 }, backtest: trade, difference: -4.1, text: null },
  parts: [
    { cause: 'delay', amount: -5 },
    { cause: 'fees', amount: 0.9 },
  ],
};
const paused: ComparedTradeAnswer = {
  ...{ signal_at: '2026-03-05T01:00:00.000Z', side: 'short', bot: null, backtest: { ...trade, pnl: 30 }, difference: -30 },
  ...{ parts: [{ cause: 'paused', amount: -30 }], text: 'You had paused entries.' },
};
const apart: BotComparison = {
  ...comparison,
  ...{ bot_profit: 4.9, backtest_profit: 39, backtest_trades: 2, difference: -34.1, trades: [paused, late], trade_count: 500 },
  causes: [
    { cause: 'paused', amount: -30, trades: 1 },
    { cause: 'delay', amount: -5, trades: 1 },
    { cause: 'of-a-newer-server', amount: 0.9, trades: 1 },
  ],
};

signInEachTest();

const rowsOf = async (name: string) =>
  within(await screen.findByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);

it('warns of a large difference, and lists its causes and trades', async () => {
  fakeApi({ [PATH]: ok(apart) });
  show(<Comparison bot={bot()} count={1} />);
  expect(await screen.findByText(/^This bot made \$34\.10 less than its backtest\. That is more than one trade may lose/)).toBeDefined();
  expect(await rowsOf('Results')).toEqual(['This bot+$4.901', 'Backtest+$39.002', 'Difference-$34.10-1']);
  expect(await rowsOf('Where the difference comes from')).toEqual(['Paused-$30.001', 'Late entry-$5.001', 'Other+$0.901']);
  const list = within(screen.getByRole('region', { name: 'Trades that differ, newest first' }));
  expect(
    list
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Mar 5, 2026, 1:00 AMShortNo trade+$30.00-$30.00You had paused entries.',
    'Mar 2, 2026, 1:00 AMLong+$4.90+$9.00-$4.10Late entry -$5.00, Fees and funding +$0.90',
  ]);
  expect(screen.getByText(/The table covers the newest 2 of 500 trades\.$/)).toBeDefined();
});

it('calls a small difference usual, and none equal', async () => {
  fakeApi({ [PATH]: ok({ ...apart, difference: 15 }) });
  const { unmount } = show(<Comparison bot={bot()} count={1} />);
  expect(await screen.findByText(/^This bot made \$15\.00 more than its backtest\. Up to \$15\.00/)).toBeDefined();
  unmount();
  await emptyDevice();
  fakeApi({ [PATH]: ok(comparison) });
  show(<Comparison bot={bot()} count={1} />);
  expect(await screen.findByText('The bot and its backtest made the same profit on each trade.')).toBeDefined();
  expect(screen.queryByRole('region', { name: /^Trades that differ/ })).toBeNull();
});

it('asks for nothing before a trade has closed', async () => {
  fakeApi({});
  show(<Comparison bot={bot()} count={0} />);
  expect(await screen.findByText('The comparison starts when the first trade has closed.')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says why it failed, and tries again', async () => {
  let answer = refusal(503, 'The backtest took too long.');
  fakeApi({ [PATH]: () => answer });
  show(<Comparison bot={bot()} count={1} />);
  expect((await screen.findByRole('alert')).textContent).toBe('The backtest took too long. The bot is not affected.');
  answer = ok(apart);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rowsOf('Results')).toHaveLength(3);
});

it('shows the stored comparison offline', async () => {
  fakeApi({ [PATH]: ok(apart) });
  const { unmount } = show(<Comparison bot={bot()} count={1} />);
  expect(await rowsOf('Results')).toHaveLength(3);
  unmount();
  fakeApi({});
  act(() => reportUnreachable());
  show(<Comparison bot={bot()} count={1} />);
  expect(await rowsOf('Results')).toHaveLength(3);
  expect(screen.queryByText('The comparison could not be refreshed')).toBeNull();
});
