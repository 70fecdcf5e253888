import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeletedBots } from '#client/features/bots/history/deleted-bots.tsx';
import TradingBotPage from '#client/features/bots/list/trading-bot-page.tsx';
import BotPage from '#client/features/bots/report/bot-page.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import type { DeletedBot } from '#contract/bots/trade-history.ts';
import { refusal } from '#tests/support/client/fake-api.ts';
import { config, fakeBots, LIST, listed, ok, show, signInEachTest, user } from '../fake-bots.tsx';

const bot: DeletedBot = {
  bot_id: 'bot-1',
  bot_name: 'Ebb <b>',
  exchange: 'paper',
  paper: true,
  position_size: 1000,
  created_at: '2026-03-01T12:00:00.000Z',
  deleted_at: '2026-03-09T12:00:00.000Z',
};

signInEachTest();

it('links to the trades of bots that the user deleted, also of one deleted just now', async () => {
  let deleted: DeletedBot[] = [];
  fakeBots({ 'GET /api/v1/trading-bots/deleted': () => ok(deleted) });
  const { rerender } = show(<DeletedBots count={1} />);
  await waitFor(async () => expect(await userDb('user-1').botAnswers.count()).toBe(1));
  expect(screen.queryByRole('link')).toBeNull();
  deleted = [bot];
  rerender(<DeletedBots count={0} />);
  const link = await screen.findByRole('link', { name: /^Ebb <b>/ });
  expect(link.getAttribute('href')).toBe('/trading-bot/bots/bot-1');
  expect(link.textContent).toMatch(/Paper trading, Mar 1.*9, 2026/);
});

it('shows a deleted bot while its report does not answer', async () => {
  fakeBots({ 'GET /api/v1/trading-bots/deleted': ok([bot]) });
  await userDb('user-1').botAnswers.put({ key: 'bots/deleted', bot_id: '', answer: [bot] });
  show(<BotPage botId="bot-1" />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Ebb <b>' })).toBeDefined();
});

it('keeps trades and profits of a deleted bot at its address', async () => {
  fakeBots({
    'GET /api/v1/trading-bots/deleted': ok([bot]),
    'GET /api/v1/trading-bots/bot-1/report?user_id=user-1': refusal(404, 'Not found.'),
  });
  show(<BotPage botId="bot-1" />);
  expect(await screen.findByRole('heading', { level: 1, name: 'Ebb <b>' })).toBeDefined();
  expect(screen.getByRole('region', { name: 'You deleted this bot' }).textContent).toContain('Its trades are kept');
  expect(screen.getByRole('region', { name: 'Trades' })).toBeDefined();
  expect(screen.getByRole('region', { name: 'Profit by day and month' })).toBeDefined();
  expect(screen.queryByText('This bot no longer exists')).toBeNull();
});

it('links to them from the list of bots', async () => {
  fakeBots({
    'GET /api/auth/user/user-1/': ok(user()),
    'GET /api/config': config(),
    [LIST]: listed(),
    'GET /api/v1/trading-bots/deleted': ok([bot]),
  });
  show(<TradingBotPage />);
  const deleted = within(await screen.findByRole('region', { name: 'Deleted bots' }));
  expect(deleted.getByRole('link', { name: /^Ebb <b>/ })).toBeDefined();
});
