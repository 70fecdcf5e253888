import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { BotChart } from '#client/features/bots/chart/bot-chart.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import type { BotChart as Chart } from '#contract/bots/bot-chart.ts';
import { HOUR } from '#domain/clock.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { ok, position, show, signInEachTest } from '../fake-bots.tsx';

// The library draws the chart. The tests check the text version beside it.
vi.mock('#client/coins/chart/candle-chart.tsx', () => ({
  CandleChart: ({ label }: { label: string }) => <p role="img" aria-label={label} />,
}));

const CHART = 'GET /api/v1/trading-bots/bot-1/chart';
const T0 = Date.UTC(2026, 2, 1);
const chart = (changes: Partial<Chart> = {}): Chart => ({
  interval: HOUR,
  candles: [0, 1, 2].map((index) => ({
    time: T0 + index * HOUR,
    open: 60_000,
    high: 60_500 + index,
    low: 59_500,
    close: 60_100,
    volume: 1,
  })),
  levels: [{ kind: 'support', price: 59_000, touches: 2, strength: 1, last_touch: T0 }],
  trades: [
    {
      id: '1',
      side: 'long',
      entry_price: 60_000,
      opened: T0 + 10,
      closed: { at: T0 + HOUR + 20, price: 60_300, pnl: 3.2, reason: 'target' },
    },
    { id: '2', side: 'short', entry_price: 60_200, opened: T0 + 2 * HOUR, closed: null },
  ],
  ...changes,
});

signInEachTest();

it('says in words what it draws, and reads candles and trades by arrow keys', async () => {
  fakeApi({ [CHART]: ok(chart()) });
  show(<BotChart bot={bot({ position })} count={1} />);
  const summary =
    '3 candles of BTC replay from Mar 1, 2026, 12:00 AM to Mar 1, 2026, 2:00 AM replay time, from $59,500.00 to $60,502.00, now $60,100.00. ' +
    '1 level, 2 entries, 1 exit. Open position: entry $60,000.00, stop $59,000.00, target $62,000.00. ' +
    "Replay time is the replay's own clock, which runs 60 times as fast.";
  expect(await screen.findByText(summary)).toBeDefined();
  expect(await screen.findByRole('img', { name: summary })).toBeDefined();
  const figure = screen.getByRole('figure');
  expect(figure.tabIndex).toBe(0);
  expect(figure.textContent).toContain('Mar 1, 2026, 2:00 AM replay time');
  expect(figure.textContent).toContain('Opened short at $60,200.00.');
  fireEvent.keyDown(figure, { key: 'ArrowLeft' });
  expect(figure.textContent).toContain('Closed long at $60,300.00 (target), +$3.20.');
  fireEvent.keyDown(figure, { key: 'ArrowRight' });
  expect(figure.textContent).toContain('Opened short at $60,200.00.');
});

it('shows the stored chart offline', async () => {
  await userDb('user-1').botAnswers.put({ key: 'bot/bot-1/chart', bot_id: 'bot-1', answer: chart({ trades: [] }) });
  fakeApi({});
  show(<BotChart bot={bot()} count={0} />);
  expect(await screen.findByText('No trades yet on these candles.')).toBeDefined();
  expect(await screen.findByText(/^3 candles of BTC replay .* No open position\. Replay time /)).toBeDefined();
});

it('says what failed, and that a bot of another exchange has no prices here', async () => {
  let answer = refusal(503, 'The exchange sends no prices right now. Try again in a moment.');
  fakeApi({ [CHART]: () => answer });
  show(<BotChart bot={bot()} count={0} />);
  expect(
    await screen.findByText(/^The exchange sends no prices right now\. Try again in a moment\. The bot is not affected\.$/),
  ).toBeDefined();
  answer = ok(chart({ candles: [], levels: [], trades: [] }));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.getByText("This server has no prices for this bot's market.")).toBeDefined());
});
