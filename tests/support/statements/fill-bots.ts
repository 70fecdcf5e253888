import type { QueueSource } from '#server/db/open.ts';
import { BOT_QUEUE, createJobs } from '#server/jobs/jobs.ts';
import { newBook } from '#server/strategy/matching/book.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';
import { ago, bot, idFrom, owner, perBotRows, perUser, type Run, type Scale, some, user } from './sql-pieces.ts';

export async function fillBots(run: Run, scale: Scale): Promise<void> {
  const { users, bots, perBot } = scale;
  await run(
    'bots',
    `insert into bots (id, user_id, name, status, position_size, leverage, exchange, sealed_keys, key_hint, key_digest, equity, created_at)
    select ${bot('n')}, case when n <= 20 then ${owner} else ${user(`n % ${users} + 1`)} end, 'Tide', 'STOPPED', 1000, 15, 'paper', '', '', 'd' || n, 1000,
      ${ago('300')} from ${some(bots)};
    insert into deleted_bots (id, user_id, name, exchange, testnet, position_size, created_at, deleted_at)
      select ${idFrom(`'deleted bot ' || u.n || ' ' || m`)}, u.id, 'Ebb', 'paper', false, 1000, ${ago('300')}, ${ago('m')} from ${perUser(scale, 2)}`,
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
  const trades = perBotRows(scale, perBot / 3);
  await run(
    'trades, orders',
    `
    insert into bot_trades (user_id, bot_id, entry_id, side, quantity, entry_price, exit_price, opened_at, closed_at, reason)
      select bots.user_id, b.id, b.n || '-' || m, 'long', 1, 1, 2, ${ago('m + 1')}, ${ago('m')}, 'target' from ${trades}, bots where bots.id = b.id;
    insert into bot_orders (client_id, bot_id, purpose, direction, quantity, state, fence, created_at)
      select b.n || '-' || m, b.id, 'entry', 'buy', 1, 'filled', 0, ${ago('m')} from ${trades}`,
  );
  await fillPaper(run, scale);
}

/** The paper exchange: an account, orders and fills of each bot. */
async function fillPaper(run: Run, scale: Scale): Promise<void> {
  const fills = Math.ceil(scale.perBot / 10);
  const rows = perBotRows(scale, fills);
  const book = JSON.stringify(newBook({ balance: 1000, rules: PERPETUAL }));
  await run(
    'paper exchange',
    `insert into paper_accounts (bot_id, book, funded, advanced_to, fills) select ${bot('n')}, '${book}', 1000, extract(epoch from now()) * 1000, ${fills} from ${some(scale.bots)};
    insert into paper_orders (bot_id, client_id, "order") select b.id, b.n || '-' || m, '{}' from ${rows};
    insert into paper_fills (bot_id, place, at, fill) select b.id, m, extract(epoch from ${ago('m')}) * 1000, '{}' from ${rows}`,
  );
}

/** Jobs of a bot in the hour for which the queue remembers them. */
const JOBS = 20;

/** Creates the job queue, and fills it with finished jobs. */
export async function fillQueue(run: Run, source: QueueSource, { bots }: Scale): Promise<void> {
  const jobs = createJobs(source, (error) => {
    throw error;
  });
  await jobs.queue(BOT_QUEUE);
  await jobs.stop(0);
  await run(
    'queue',
    `insert into boss.job (id, name, data, state, deletion_seconds, start_after, created_on, started_on, completed_on)
    select ${idFrom(`'job ' || n`)}, '${BOT_QUEUE}', '{}', 'completed', 3600, now(), now(), now(), now() from ${some(bots * JOBS)}`,
  );
}
