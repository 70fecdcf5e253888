import { sql } from 'drizzle-orm';
import type { OpenDb } from '#server/db/open.ts';
import { fillAccounts } from './fill-accounts.ts';
import { fillBots, fillQueue } from './fill-bots.ts';
import { fillExpired } from './fill-expired.ts';
import { fillNotices } from './fill-notices.ts';
import { ago, idFrom, owner, perUser, type Run, type Scale, some } from './sql-pieces.ts';

/** What 100,000 users of a year leave, with a million expired rows of each kind. */
export const LARGE: Scale = { users: 100_000, messages: 5_000_000, ownArchives: 5_000, expired: 1_000_000, bots: 10_000, perBot: 300 };
export const SMALL: Scale = { users: 1_500, messages: 30_000, ownArchives: 100, expired: 4_000, bots: 1_200, perBot: 15 };

async function fillChats(run: Run, scale: Scale): Promise<void> {
  const { users, messages, ownArchives } = scale;
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

/**
 * Fills a migrated, empty PostgreSQL with rows of many users.
 * @returns the id of the user with `ownArchives`
 */
export async function fillAtScale(
  { db, queue }: Pick<OpenDb, 'db' | 'queue'>,
  scale: Scale,
  say: (line: string) => void = () => undefined,
): Promise<string> {
  const run: Run = async (name, text) => {
    const began = performance.now();
    await db.execute(sql.raw(text));
    say(`${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  };
  for (const fill of [fillAccounts, fillChats, fillNotices, fillExpired, fillBots]) await fill(run, scale);
  await fillQueue(run, queue, scale);
  await run('statistics', 'vacuum (analyze)');
  const { rows } = (await db.execute(sql.raw(`select ${owner} as id`))) as unknown as { rows: { id: string }[] };
  return rows[0]?.id ?? '';
}
