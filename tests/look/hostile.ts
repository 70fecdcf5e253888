import type { BrowserContext } from '@playwright/test';
import { cryptoDetailsAnswer } from '#contract/market/coin-details.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { firingOf, storedAlert } from '../support/alerts/stored-alert.ts';
import { bot } from '../support/bots/listed-bot.ts';
import { ARCHIVE, chatRow, unanswered } from '../support/chat/chat-rows.ts';
import { listChats } from '../support/chat/listed-chats.ts';

/** A very long word. */
export const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const SENTENCE = 'Which of the levels that price has come back to since the spring is the one that most traders look at now?';
const TITLES = [SENTENCE.slice(0, 120), WORD.repeat(2).slice(0, 120), '<b>Bold</b> & "quoted"', 'سعر بيتكوين اليوم', '🌊🌊🌊', ''];

const MARKDOWN = `# Levels of the week

Price came back to **$98,210.50** twice, see [the chart](https://example.com/a/very/long/address/${WORD}).

| Level | Price | Touches | What happened there | How long it held |
| --- | ---: | ---: | --- | --- |
| Resistance | $104,000.00 | 4 | Sold into, each time a little lower | eleven days |
| Support | $94,500.00 | 3 | Bought back within the hour | nineteen days |

1. A first point that takes more than one line on a phone, because it says something at length.
   - and one below it
2. \`${WORD}\`

\`\`\`
const averyLongLineOfCode = levels.filter((level) => level.touches > 2).map((level) => level.price).sort((one, other) => one - other);
\`\`\`

> What was, is no promise of what will be.`;

const CHATS = [
  chatRow({ id: '1', archive_id: ARCHIVE, position: 1, user_message: SENTENCE.repeat(4), ai_response: MARKDOWN }),
  chatRow({ id: '2', archive_id: ARCHIVE, position: 2, user_message: WORD.repeat(3), ai_response: WORD.repeat(6), coins: [1, 1027, 74] }),
  chatRow({ id: '3', archive_id: ARCHIVE, position: 3, user_message: 'And?', ai_response: 'The analyst did not answer.', failed: true }),
  chatRow({ id: '4', archive_id: ARCHIVE, position: 4, user_message: 'Stop this one', ai_response: '', stopped: true }),
  unanswered({ id: '5', archive_id: ARCHIVE, position: 5, user_message: 'Still waiting?' }),
];

const BOTS = [
  bot({
    bot_name: WORD.slice(0, 60),
    position_size: 999_999_999,
    equity: 1_234_567_890.12,
    position: {
      side: 'short',
      quantity: 12_345.678,
      entry_price: 123_456.78,
      mark_price: 120_001.5,
      stop_price: 125_000,
      target_price: null,
      liquidation_price: 131_000.25,
      unrealised_pnl: -42_654_321.12,
      opened_at: '2026-03-01T01:00:00.000Z',
    },
  }),
  bot({ bot_id: 'bot-2', bot_name: 'Setting up', status: 'PROVISIONING', last_exchange_at: null }),
  bot({ bot_id: 'bot-3', bot_name: 'Resting', paused_reason: 'Paused by you' }),
  bot({
    bot_id: 'bot-4',
    bot_name: 'Broken',
    status: 'ERROR',
    status_reason: 'The exchange refused this key: it has expired. Make a new key there, delete this bot and create it again.',
  }),
  bot({
    bot_id: 'bot-5',
    bot_name: 'Over',
    status: 'STOPPED',
    config: { ...bot().config, exchange: 'bybit', paper: false, speed: null },
  }),
];

const NOTIFICATIONS = [
  { kind: 'bot', notification_text: `The bot ${WORD.slice(0, 60)} was paused: ${SENTENCE}`, link: '/trading-bot' },
  { kind: 'security', notification_text: '', link: null },
  { kind: 'support', notification_text: WORD.repeat(3), link: '/settings/help-center' },
].map((rest, index) => ({ id: `${index}`, created_at: `2026-0${3 - index}-01T00:00:00.000Z`, read: index > 1, ...rest }));

const ALERTS = [
  storedAlert({ coin: { id: 1, name: WORD, symbol: WORD }, note: SENTENCE, level_name: WORD.slice(0, 60), rearms: true }),
  storedAlert({ note: WORD.slice(0, 200), price: 1e12, state: 'waiting', fired_at: '2026-01-01T00:00:00.000Z' }),
  storedAlert({ paused: true, price: 0.00000001 }),
];
const FIRINGS = [firingOf({ note: WORD.slice(0, 200), source: WORD })];

/** Answers list requests with the longest, oddest and rarest entries. */
export async function tellHostileThings(context: BrowserContext): Promise<void> {
  const archives = TITLES.map((archive_title, index) => ({
    id: index === 0 ? ARCHIVE : `6f1c2a52-95d5-4d0c-8a6f-0c6f6f0e4d1${index}`,
    archive_title,
    created_at: new Date(Date.now() - index * 30 * 3_600_000).toISOString(),
  }));
  await listChats(context, archives, CHATS);
  const tell = (path: RegExp, data: unknown) =>
    context.route(path, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: { status: 200, data } }) : route.fallback(),
    );
  await tell(/\/api\/notification\//, NOTIFICATIONS);
  await tell(/\/api\/alerts\/[^/]+$/, ALERTS);
  await tell(/\/api\/alerts\/[^/]+\/history$/, FIRINGS);
  await tell(/\/api\/v1\/users\/[^/]+\/trading-bots/, { bots: BOTS, total: BOTS.length });
  /** Changes the server's answer. */
  const change = <T>(path: RegExp, schema: { parse(value: unknown): T }, edit: (answer: T) => void) =>
    context.route(path, async (route) => {
      const { 'if-none-match': _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      if (!response.ok()) return route.fulfill({ response });
      const answer = schema.parse(await response.json());
      edit(answer);
      await route.fulfill({ response, json: answer });
    });
  await change(/\/api\/coin-market\/get-data/, marketListAnswer, ({ data }) => {
    const [first, second] = data.data;
    if (first) Object.assign(first, { name: WORD, symbol: WORD.slice(0, 20) });
    if (second) Object.assign(second, { name: SENTENCE, rank: 12_345 });
  });
  await change(/\/api\/coin-market\/get-single-data\//, cryptoDetailsAnswer, ({ data }) => {
    Object.assign(data, { name: WORD, symbol: WORD.slice(0, 20), tags: TITLES.filter(Boolean).map((name) => ({ name })) });
  });
}
