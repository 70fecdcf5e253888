import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import ConfigurePage from '#client/features/bots/configure/configure-page.tsx';
import TradingBotPage from '#client/features/bots/list/trading-bot-page.tsx';
import BotPage from '#client/features/bots/report/bot-page.tsx';
import { warningsOf } from '#client/features/bots/summary/bot-warnings.ts';
import { history } from '#client/platform/router/history.ts';
import { COINS, FLASK } from '#client/ui/graphics/drawings.ts';
import { MoneyChips } from '#client/ui/labels/money-chips.tsx';
import type { Bot } from '#contract/bots/bot.ts';
import { MONEY_NAMES, type Money } from '#domain/bots/bot-money.ts';
import { DAY, MINUTE } from '#domain/clock.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import type { Answers } from '#tests/support/client/fake-api.ts';
import { config, fakeBots, LIST, listed, ok, position, show, signInEachTest, user } from './fake-bots.tsx';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const live = (changes: Partial<Bot> = {}): Bot =>
  bot({
    bot_id: 'bot-2',
    bot_name: 'Tide two',
    ...changes,
    config: { ...bot().config, exchange: 'bybit', paper: false, speed: null, replay: null },
  });
const service = (more: Answers = {}): Answers => ({
  'GET /api/auth/user/user-1/': ok(user()),
  'GET /api/config': config(),
  [LIST]: listed(),
  ...more,
});
const marks = (where: HTMLElement) => Object.values(MONEY_NAMES).filter((name) => within(where).queryByText(name));

async function form(market: object) {
  fakeBots(service({ 'GET /api/config': config(market) }));
  show(<TradingBotPage />);
  fireEvent.click(await screen.findByRole('checkbox'));
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  return within(await screen.findByRole('form', { name: 'Create a trading bot' }));
}

signInEachTest('/trading-bot');

it.each<[Money, string]>([
  ['paper', FLASK.path],
  ['testnet', FLASK.path],
  ['live', COINS.path],
])('marks %s money with its name and icon', (money, path) => {
  const { container } = render(<MoneyChips money={money} names={MONEY_NAMES} />);
  expect(container.textContent).toBe(MONEY_NAMES[money]);
  expect(container.querySelector('path')?.getAttribute('d')).toBe(path);
});

it('warns before real money is traded, and says which key to create and where orders come from', async () => {
  const shown = await form({ exchange: 'bybit', paper: false, speed: null, egressAddresses: ['192.0.2.1', '192.0.2.2'] });
  const warning = within(await shown.findByRole('region', { name: 'This bot trades your own money' }));
  expect(warning.getByText(/15 times the position size on Bybit\. You can lose all of it/)).toBeDefined();
  expect(warning.getByText(/dedicated subaccount/)).toBeDefined();
  expect(warning.getByText(/Keys that can withdraw are refused/)).toBeDefined();
  expect(shown.getByLabelText('API Key').getAttribute('aria-describedby')).toBeTruthy();
  expect(shown.getByText('Restrict the key to the addresses that orders come from: 192.0.2.1, 192.0.2.2')).toBeDefined();
  expect(shown.getByLabelText('Type LIVE to confirm')).toBeDefined();
  expect(shown.queryByText(/demo account/)).toBeNull();
  expect(marks(document.body)).toEqual(['Real money']);
});

it('refuses real money on candles that no backtest covers', async () => {
  const shown = await form({ exchange: 'bybit', paper: false, speed: null, interval: '15m' });
  expect((await shown.findByRole('alert')).textContent).toMatch(/^No backtest covers 15m candles/);
  fireEvent.change(shown.getByLabelText('Type LIVE to confirm'), { target: { value: 'LIVE' } });
  fireEvent.blur(shown.getByLabelText('Bot Name'));
  const missing = await shown.findByText('Please enter a name for your trading bot');
  for (const [label, value] of Object.entries({ 'API Key': 'b', 'Secret Key': 'c', 'Position Size': '100', 'Bot Name': 'a' }))
    fireEvent.change(shown.getByLabelText(label), { target: { value } });
  // The form is valid when its last error is gone.
  await waitFor(() => expect(missing.isConnected).toBe(false));
  expect(shown.getByRole<HTMLButtonElement>('button', { name: 'Create Bot' }).disabled).toBe(true);
});

it('says of paper money that no backtest covers the candles, and lets the user go on', async () => {
  const shown = await form({ interval: '15m' });
  expect(await screen.findByText(/^No backtest covers 15m candles/)).toBeDefined();
  for (const [label, value] of Object.entries({ 'Bot Name': 'a', 'API Key': 'b', 'Secret Key': 'c', 'Position Size': '100' }))
    fireEvent.change(shown.getByLabelText(label), { target: { value } });
  await waitFor(() => expect(shown.getByRole<HTMLButtonElement>('button', { name: 'Create Bot' }).disabled).toBe(false));
});

it('shows the measured figures before the advertised ones, and the exposure', async () => {
  const shown = await form({});
  const metrics = within(screen.getByRole('region', { name: 'Strategy metrics' }));
  await metrics.findByText('Backtest on real candles');
  expect(metrics.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Backtest on real candles',
    'Advertised figures',
  ]);
  expect(metrics.getByText('Marketing figures at 15x, without fees and funding. No test has confirmed them.')).toBeDefined();
  expect(shown.getByText(/^A trade risks about 1\.5% .* 15x is the ceiling\.$/)).toBeDefined();
});

const LIVE_PRICES = { speed: null, replay: null, live: { source: 'Bybit BTCUSDT perpetual', stale_since: null } };
const LIVE_NOTE = 'Paper money follows live prices: Bybit BTCUSDT perpetual.';

it('says in the form which prices drive paper money', async () => {
  const shown = await form(LIVE_PRICES);
  expect(await shown.findByText(LIVE_NOTE)).toBeDefined();
});

it('says on each bot which prices drive its paper money', async () => {
  fakeBots(service({ [LIST]: listed(bot({ config: { ...bot().config, ...LIVE_PRICES } })) }));
  show(<TradingBotPage />);
  expect(await screen.findByText(LIVE_NOTE)).toBeDefined();
});

it('asks for the passphrase where the exchange has one, and names that exchange', async () => {
  const shown = await form({ exchange: 'okx', paper: false, speed: null });
  const field = await shown.findByLabelText('Passphrase');
  expect(field.getAttribute('type')).toBe('password');
  expect(shown.getByText(/15 times the position size on OKX/)).toBeDefined();
  fireEvent.blur(field);
  expect(await shown.findByText('Please enter the passphrase of your API key')).toBeDefined();
});

it('asks for no passphrase elsewhere', async () => {
  const shown = await form({ exchange: 'bybit', paper: false, speed: null });
  expect(await shown.findByText(/position size on Bybit/)).toBeDefined();
  expect(shown.queryByLabelText('Passphrase')).toBeNull();
});

it('requires no typed word and offers no demo account on a test network', async () => {
  const shown = await form({ exchange: 'bybit', paper: true, speed: null });
  expect(await shown.findByText(/play money here, on Bybit's test network/)).toBeDefined();
  expect(shown.queryByLabelText('Type LIVE to confirm')).toBeNull();
  expect(shown.queryByText(/demo account/)).toBeNull();
  expect(marks(document.body)).toEqual(['Test network']);
});

it('marks the kind of money on each bot of the list and in its dialogs', async () => {
  fakeBots(service({ [LIST]: listed(bot(), live()) }));
  show(<TradingBotPage />);
  const items = within(await screen.findByRole('list', { name: 'Trading bots' })).getAllByRole('listitem');
  expect(items.map(marks)).toEqual([['Paper trading'], ['Real money']]);
  expect(within(items[1] as HTMLElement).queryByText(/replay/i)).toBeNull();
  const [paperMarket, liveMarket] = items.map((item) => within(item).getByText('Market').nextSibling?.textContent);
  expect([paperMarket, liveMarket]).toEqual(['BTC replay 1h', 'BTC 1h']);
  fireEvent.click(within(items[1] as HTMLElement).getByRole('button', { name: 'Delete' }));
  expect(marks(screen.getByRole('dialog'))).toEqual(['Real money']);
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  fireEvent.click(within(items[0] as HTMLElement).getByRole('button', { name: 'Stop' }));
  expect(marks(screen.getByRole('dialog'))).toEqual(['Paper trading']);
});

it('marks the kind of money on the pages of the bot and of its configuration', async () => {
  const report = { bot: live(), equity: [], trades: [], events: [], live: PERFORMANCE, backtest: null };
  fakeBots(service({ 'GET /api/v1/trading-bots/bot-2/report?user_id=user-1': ok(report) }));
  show(<BotPage botId="bot-2" clock={() => NOW} />);
  expect(await screen.findByText('Real money')).toBeDefined();
  expect(screen.getByRole('columnheader', { name: 'This bot, real money' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Configure' }));
  await waitFor(() => expect(history.location.pathname).toBe('/trading-bot/configure'));
  cleanup();
  show(<ConfigurePage />);
  expect(await screen.findByText('Real money')).toBeDefined();
});

const PERFORMANCE = {
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-02T00:00:00.000Z',
  trades: 0,
  total_return: 0,
  annual_return: null,
  max_drawdown: 0,
  win_rate: null,
  profit_factor: null,
};
const ago = (ms: number) => new Date(NOW - ms).toISOString();
const SILENT = 'No answer from the paper exchange for more than 15 minutes. Orders there, stops included, stay active.';

it.each<[string, Partial<Bot>, string[]]>([
  ['nothing where nothing is wrong', {}, []],
  ['a halt', { paused_reason: 'Halted by the operator' }, ['No new trades: Halted by the operator']],
  ['silence of a running bot', { last_exchange_at: ago(16 * MINUTE) }, [SILENT]],
  ['silence about a position that was kept', { status: 'STOPPED', position, last_exchange_at: ago(16 * MINUTE) }, [SILENT]],
  ['no silence of one that rests', { status: 'STOPPED', last_exchange_at: ago(16 * MINUTE) }, []],
  ['no silence before its time', { last_exchange_at: ago(14 * MINUTE) }, []],
  [
    'a key that ends in a day',
    { key_expires_at: ago(-DAY) },
    ["The API key expires on Mar 2, 2026, in 1 day. Renew it at the paper exchange, or replace it in the bot's settings."],
  ],
  [
    'a key that ends in 14 days',
    { key_expires_at: ago(-14 * DAY) },
    ["The API key expires on Mar 15, 2026, in 14 days. Renew it at the paper exchange, or replace it in the bot's settings."],
  ],
  ['no key that ends later', { key_expires_at: ago(-15 * DAY) }, []],
  [
    'a key that has ended',
    { key_expires_at: ago(0) },
    ["The API key has expired, so the bot can't manage its position. Replace the key in the bot's settings."],
  ],
])('warns of %s', (_what, changes, told) => {
  expect(warningsOf(bot({ last_exchange_at: ago(0), ...changes }), NOW)).toEqual(told);
});

it('warns of live prices that have stopped, once', () => {
  const live = { source: 'Bybit BTCUSDT perpetual', stale_since: '2026-11-23T09:05:41.000Z' };
  const stale = bot({ last_exchange_at: ago(DAY), config: { ...bot().config, speed: null, live } });
  expect(warningsOf(stale, NOW)).toEqual(['No new prices since Nov 23, 09:05 UTC. Paper bots trade again when prices return.']);
});

it('warns of real money on candles that no backtest covers, and not of play money', () => {
  const on = ({ config }: Bot) => warningsOf(bot({ last_exchange_at: ago(0), config: { ...config, interval: '15m' } }), NOW);
  expect(on(live())).toEqual([expect.stringMatching(/^No backtest covers 15m candles/)]);
  expect(on(bot())).toEqual([]);
});

it('does not mistake an offline device for a silent exchange', () => {
  const seen = Date.parse(ago(DAY));
  expect(warningsOf(bot({ last_exchange_at: ago(DAY + MINUTE) }), seen)).toEqual([]);
});
