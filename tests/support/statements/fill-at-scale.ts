import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/open.ts';

/** Numbers of rows to fill a database with. */
export interface Scale {
  users: number;
  /** Messages of all users, the same number each. */
  messages: number;
  /** Archives and messages of one more user, 20 in each archive. */
  ownArchives: number;
  /** Rows of each kind that the cleanup deletes. */
  expired: number;
  bots: number;
  /** Journal entries and points of equity of each bot. */
  perBot: number;
}

/** What 100,000 users of a year leave, with a million expired rows of each kind. */
export const LARGE: Scale = { users: 100_000, messages: 5_000_000, ownArchives: 5_000, expired: 1_000_000, bots: 10_000, perBot: 300 };
export const SMALL: Scale = { users: 1_500, messages: 30_000, ownArchives: 100, expired: 4_000, bots: 1_200, perBot: 15 };

/** A UUID of version 4 that follows from a text. */
export const idFrom = (text: string): string => `overlay(overlay(md5(${text}) placing '4' from 13) placing 'a' from 17)::uuid`;

type Run = (name: string, text: string) => Promise<void>;

const user = (n: string) => idFrom(`'user ' || ${n}`);
const owner = idFrom(`'owner'`);
const bot = (n: string) => idFrom(`'bot ' || ${n}`);
const some = (n: number) => `generate_series(1, ${n}) n`;
const ago = (days: string) => `now() - (${days}) * interval '1 day'`;
/** Each user, in the order of the index, with the numbers from 1 to `count`. */
const perUser = ({ users }: Scale, count: number) =>
  `(select ${user('n')} id, n from ${some(users)} order by 1) u, generate_series(1, ${count}) m`;
const perBotRows = ({ bots }: Scale, count: number) =>
  `(select ${bot('n')} id, n from ${some(bots)} order by 1) b, generate_series(1, ${count}) m`;

async function fillChats(run: Run, scale: Scale): Promise<void> {
  const { users, messages, ownArchives } = scale;
  await run(
    'users',
    `insert into users (id, email, first_name, last_name, password_hash, verified_at, created_at)
    select ${user('n')}, 'user' || n || '@example.com', 'Ada', 'Byron', 'x', now(), ${ago('n % 365')} from ${some(users)}
    union all select ${owner}, 'owner@example.com', 'Ada', 'Byron', 'x', now(), ${ago('365')}`,
  );
  await run(
    'archives',
    `insert into archives (user_id, id, title, folded_title, created_at)
    select u.id, ${idFrom(`u.id::text || m`)}, 'Bitcoin and others', 'bitcoin and others', ${ago('m % 365')} from ${perUser(scale, 5)}
    union all select ${owner}, ${idFrom(`'archive ' || n`)}, 'Chat ' || n, 'chat ' || n, ${ago('n % 365')} from ${some(ownArchives)}`,
  );
  const chat = `insert into chats (user_id, id, archive_id, position, user_message, ai_response, folded, answered_at, created_at, chat_image)`;
  const texts = `'What is the price of Bitcoin today, and why?', 'Bitcoin trades at 60,000 USD.', 'what is the price of bitcoin today'`;
  await run(
    'messages',
    `${chat} select u.id, ${idFrom(`u.id::text || ' ' || m`)}, ${idFrom(`u.id::text || (m % 5 + 1)`)}, m / 5 + 1, ${texts},
      ${ago('m * 7')}, ${ago('m * 7')}, case when m = 7 then u.id::text end from ${perUser(scale, Math.round(messages / users))}`,
  );
  await run(
    'own messages',
    `${chat} select ${owner}, ${idFrom(`'message ' || n || ' ' || m`)}, ${idFrom(`'archive ' || n`)}, m, ${texts},
      ${ago('n % 365')}, ${ago('n % 365')}, null from ${some(ownArchives)}, generate_series(1, 20) m`,
  );
  await run(
    'charges',
    `insert into charges (user_id, id, chat_id, kind, state, month, created_at)
    select user_id, id, id, 'question', 'spent', to_char(created_at, 'YYYY-MM'), created_at from chats where created_at > now() - interval '60 days'`,
  );
  await run(
    'pictures',
    `insert into chat_images (user_id, id, type, hash, size, preview_hash, preview_size, width, height, created_at)
    select id, id, 'image/png', id, 1000, id, 100, 100, 100, ${ago('49')} from users where id <> ${owner}`,
  );
}

async function fillExpired(run: Run, { users, expired }: Scale): Promise<void> {
  await run(
    'idempotency',
    `insert into idempotency (user_id, key, route, request_hash, status, answer, created_at)
    select ${user(`n % ${users} + 1`)}, md5('key ' || n), 'PATCH /', 'x', 200, '{"data":{}}', ${ago('8 + n % 30')} from ${some(expired)}`,
  );
  await run(
    'sessions',
    `insert into sessions (id, user_id, client_name, network, created_at)
    select ${idFrom(`'session ' || n`)}, ${user(`n % ${users} + 1`)}, 'Chrome on Android', '10.0.0.0/24', ${ago('90')} from ${some(expired + users)}`,
  );
  await run(
    'tokens',
    `insert into refresh_tokens (token_hash, session_id, expires_at, created_at)
    select md5('token ' || n), ${idFrom(`'session ' || n`)}, case when n > ${expired} then ${ago('-20')} else ${ago('1 + n % 30')} end, ${ago('60')}
    from ${some(expired + users)}`,
  );
  await run(
    'codes',
    `insert into codes (user_id, purpose, code_hash, expires_at)
    select ${idFrom(`'stranger ' || n`)}, 'reset-password', 'x', ${ago('2 + n % 30')} from ${some(expired)}`,
  );
  await run(
    'budgets',
    `insert into budgets (key, used, ends_at) select 'wrong ' || n, 1, ${ago('1 + n % 30')} from ${some(Math.ceil(expired / 4))}`,
  );
}

async function fillAccounts(run: Run, scale: Scale): Promise<void> {
  await run(
    'notifications',
    `insert into notifications (user_id, kind, text, created_at)
    select u.id, 'support', 'You have a reply from support.', ${ago('m * 10')} from ${perUser(scale, 20)}
    union all select ${owner}, 'bot', 'Closed the long position.', ${ago('n')} from generate_series(1, 200) n`,
  );
  await run(
    'watchlists, plans, support',
    `
    insert into watched_coins (user_id, coin_id, symbol, name) select u.id, m, 'BTC', 'Bitcoin' from ${perUser(scale, 10)};
    insert into subscriptions (user_id, plan, store, ends_at, renews, verified_at, told)
      select id, 'PRO', 'test', ${ago('-20')}, true, now(), 'PRO' from users where id <> ${owner};
    insert into contact_messages (user_id, kind, name, email, message, reply, created_at)
      select u.id, 'contact', 'Ada', 'ada@example.com', 'Hello', 'Hello', ${ago('m * 30')} from ${perUser(scale, 2)};
    insert into backtests (user_id, status, settings, owner, created_at) select u.id, 'DONE', '{}', '', ${ago('m')} from ${perUser(scale, 2)};
    insert into coin_days (coin_id, day, open, high, low, close)
      select n, to_char(${ago('m')}, 'YYYY-MM-DD'), 1, 1, 1, 1 from ${some(Math.ceil(scale.users / 100))}, generate_series(1, 380) m`,
  );
}

async function fillBots(run: Run, scale: Scale): Promise<void> {
  const { users, bots, perBot } = scale;
  await run(
    'bots',
    `insert into bots (id, user_id, name, status, position_size, leverage, exchange, sealed_keys, key_hint, key_digest, equity, created_at)
    select ${bot('n')}, case when n <= 20 then ${owner} else ${user(`n % ${users} + 1`)} end, 'Tide', 'STOPPED', 1000, 15, 'paper', '', '', 'd' || n, 1000,
      ${ago('300')} from ${some(bots)}`,
  );
  await run(
    'journal',
    `insert into bot_events (bot_id, actor, kind, text, key, created_at)
    select b.id, 'engine', 'passed', 'Skipped an entry: the next level is too near.', 'passed:' || m, ${ago('m')} from ${perBotRows(scale, perBot)}`,
  );
  await run(
    'equity',
    `insert into bot_equity (bot_id, at, equity) select b.id, date_trunc('minute', ${ago('m::float8 / 4')}), 1000 + m from ${perBotRows(scale, perBot)}`,
  );
  await run(
    'trades, orders',
    `
    insert into bot_trades (user_id, bot_id, entry_id, side, quantity, entry_price, exit_price, opened_at, closed_at, reason)
      select bots.user_id, b.id, b.n || '-' || m, 'long', 1, 1, 2, ${ago('m + 1')}, ${ago('m')}, 'target' from ${perBotRows(scale, Math.ceil(perBot / 3))} , bots where bots.id = b.id;
    insert into bot_orders (client_id, bot_id, purpose, direction, quantity, state, fence, created_at)
      select b.n || '-' || m, b.id, 'entry', 'buy', 1, 'filled', 0, ${ago('m')} from ${perBotRows(scale, Math.ceil(perBot / 3))}`,
  );
}

/**
 * Fills a migrated, empty PostgreSQL with rows of many users.
 * @returns the id of the user with `ownArchives`
 */
export async function fillAtScale(db: Db, scale: Scale, say: (line: string) => void = () => undefined): Promise<string> {
  const run: Run = async (name, text) => {
    const began = performance.now();
    await db.execute(sql.raw(text));
    say(`${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  };
  for (const fill of [fillChats, fillExpired, fillAccounts, fillBots]) await fill(run, scale);
  await run('statistics', 'vacuum (analyze)');
  const { rows } = (await db.execute(sql.raw(`select ${owner} as id`))) as unknown as { rows: { id: string }[] };
  return rows[0]?.id ?? '';
}
