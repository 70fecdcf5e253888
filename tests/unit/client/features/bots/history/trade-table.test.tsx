import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { TradeTable } from '#client/features/bots/history/trade-table.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportUnreachable } from '#client/platform/live/reachability.ts';
import { saveFile } from '#client/platform/save-file.ts';
import type { BotTrade } from '#contract/bots/bot.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { closedTrade, ok, show, signInEachTest } from '../fake-bots.tsx';

vi.mock(import('#client/platform/save-file.ts'), () => ({ saveFile: vi.fn() }));

const page = (sort: string, order: string, offset = 0) =>
  `GET /api/v1/trading-bots/bot-1/trades?sort=${sort}&order=${order}&offset=${offset}`;
const FIRST = page('closed_at', 'desc');

const trade = (id: number, changes: Partial<BotTrade> = {}) => closedTrade({ id: `trade-${id}`, funding: -0.02, ...changes });

signInEachTest();

const cells = () =>
  screen.getAllByRole('row').map((row) =>
    within(row)
      .queryAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
const head = (name: string) => screen.getByRole('columnheader', { name });

it('shows trades newest first and sorts by each column at the server', async () => {
  fakeApi({
    [FIRST]: ok({ trades: [trade(2), trade(1, { pnl: -4 })], total: 2 }),
    [page('pnl', 'desc')]: ok({ trades: [trade(2), trade(1, { pnl: -4 })], total: 2 }),
    [page('pnl', 'asc')]: ok({ trades: [trade(1, { pnl: -4 }), trade(2)], total: 2 }),
  });
  show(<TradeTable botId="bot-1" botName="Tide one" />);
  expect((await screen.findByRole('columnheader', { name: 'Closed' })).getAttribute('aria-sort')).toBe('descending');
  expect(cells()[1]?.slice(1, 9)).toEqual(['Short', '₿0.010000', '$61,000.00', '$60,000.00', '+$9.40', '$0.60', '-$0.02', 'target']);
  fireEvent.click(within(head('Profit')).getByRole('button'));
  await waitFor(() => expect(head('Profit').getAttribute('aria-sort')).toBe('descending'));
  expect(head('Closed').getAttribute('aria-sort')).toBeNull();
  fireEvent.click(within(head('Profit')).getByRole('button'));
  await waitFor(() => expect(cells()[1]?.[5]).toBe('-$4.00'));
  expect(head('Profit').getAttribute('aria-sort')).toBe('ascending');
});

it('turns pages, and keeps the rows until the next ones have come', async () => {
  const first = Array.from({ length: 50 }, (_, index) => trade(100 - index));
  fakeApi({ [FIRST]: ok({ trades: first, total: 53 }), [page('closed_at', 'desc', 50)]: ok({ trades: [trade(1)], total: 53 }) });
  show(<TradeTable botId="bot-1" botName="Tide one" />);
  expect(await screen.findByText('1 to 50 of 53')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true);
  fireEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(cells().length).toBeGreaterThan(1);
  await waitFor(() => expect(cells()).toHaveLength(2));
  expect(screen.getByText('51 to 53 of 53')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true);
});

it('fetches again when the bot has closed another trade', async () => {
  let trades = [trade(1)];
  fakeApi({ [FIRST]: () => ok({ trades, total: trades.length }) });
  const { rerender } = show(<TradeTable botId="bot-1" botName="Tide one" count={1} />);
  await waitFor(() => expect(cells()).toHaveLength(2));
  trades = [trade(2), ...trades];
  rerender(<TradeTable botId="bot-1" botName="Tide one" count={2} />);
  await waitFor(() => expect(cells()).toHaveLength(3));
});

it('shows the stored trades offline, and refuses to save the file', async () => {
  await userDb('user-1').botAnswers.put({
    key: 'bot/bot-1/trades?sort=closed_at&order=desc&offset=0',
    bot_id: 'bot-1',
    answer: { trades: [trade(1)], total: 1 },
  });
  fakeApi({});
  show(<TradeTable botId="bot-1" botName="Tide one" />);
  expect(await screen.findByText('+$9.40')).toBeDefined();
  act(reportUnreachable);
  const button = screen.getByRole('button', { name: 'Save as CSV' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('You can save the file once you are online.')).toBeDefined();
});

it('says that there are no trades yet, and what failed', async () => {
  let answer = refusal(500, 'The bots are not well.');
  fakeApi({ [FIRST]: () => answer });
  show(<TradeTable botId="bot-1" botName="Tide one" />);
  expect(await screen.findByText('The bots are not well. The bot is not affected.')).toBeDefined();
  answer = ok({ trades: [], total: 0 });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No trades yet.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save as CSV' })).toBeNull();
});

it('saves all trades under the name of the bot', async () => {
  fakeApi({ [FIRST]: ok({ trades: [trade(1)], total: 1 }), 'GET /api/v1/trading-bots/bot-1/trades.csv': refusal(429, 'Wait a minute.') });
  show(<TradeTable botId="bot-1" botName="Tide one" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Save as CSV' }));
  expect(await screen.findByText('Wait a minute. Nothing was saved.')).toBeDefined();
  vi.stubGlobal('fetch', async () => new Response('a,b\r\n', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } }));
  fireEvent.click(screen.getByRole('button', { name: 'Save as CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  const [name, file] = vi.mocked(saveFile).mock.calls[0] ?? [];
  expect([name, await file?.text()]).toEqual(['tidemark-Tide-one-trades.csv', 'a,b\r\n']);
});
