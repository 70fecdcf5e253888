import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { ChannelName } from '#contract/notifications/channels.ts';
import { type Clock, MINUTE, SECOND } from '#domain/clock.ts';
import type { Config } from '../config.ts';
import { countRows, meanOf, readNumber } from '../db/count-rows.ts';
import type { Db } from '../db/open.ts';
import { bots } from '../db/schema/bots.ts';
import { chatImages, chats } from '../db/schema/chat.ts';
import { contactFiles, contactMessages } from '../db/schema/contacts.ts';
import { deliveries } from '../db/schema/deliveries.ts';
import { budgets } from '../db/schema/requests.ts';
import { subscriptions } from '../db/schema/subscriptions.ts';
import { profilePictures } from '../db/schema/users.ts';
import { BOT_QUEUE } from '../jobs/jobs.ts';
import { creditBudgets } from '../ports/market-data/coinmarketcap/credits.ts';
import type { Payments } from '../ports/payments/payments.ts';
import { withDeadline } from '../with-deadline.ts';

/** How long figures are kept, ms: all scrapes in this time share them. */
const KEPT = 15 * SECOND;
const PICTURES_KEPT = 5 * MINUTE;
/** Time limit of all figures, and of one statement at the PostgreSQL server, ms. */
const READ_TIMEOUT = 3 * SECOND;
const STATEMENT_TIMEOUT = 2 * SECOND;

/** Notifications that are due by a channel. */
type DeliveryQueue = `deliveries_${ChannelName}`;

export interface DatabaseFigures {
  /** Age of the oldest item of each queue, seconds. */
  ages: Record<'questions' | 'bot_jobs' | 'acknowledgement_mails' | 'ended_plans' | DeliveryQueue, number>;
  bots: Record<string, number>;
  pictures: Pictures;
  /** Credits left today, by what they are for; empty without CoinMarketCap. */
  credits: Record<string, number>;
}

interface Pictures {
  counts: Record<string, number>;
  bytes: Record<string, number>;
}

interface Parts {
  db: Db;
  config: Pick<Config, 'databaseUrl' | 'cmcApiKey' | 'cmcDailyCredits'>;
  clock: Clock;
  /** The store that sells plans. */
  store: Payments['kind'];
  /** Receives why the figures could not be read. */
  report: (error: unknown) => void;
  /** Returns ms since any moment; tests set it. */
  now?: () => number;
  /** Time limit of all figures, ms. */
  timeout?: number;
}

/** Creates the reader of the figures in the database. */
export function createDatabaseFigures({ db, config, clock, store, report, now = () => performance.now(), timeout = READ_TIMEOUT }: Parts) {
  let figures: DatabaseFigures | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let pictures: { value: Pictures; readAt: number } | undefined;

  async function readPictures(tx: Db): Promise<Pictures> {
    if (!pictures || now() - pictures.readAt > PICTURES_KEPT) pictures = { value: await countPictures(tx), readAt: now() };
    return pictures.value;
  }

  const readAll = (): Promise<DatabaseFigures> =>
    db.transaction(async (tx) => {
      if (config.databaseUrl) await tx.execute(sql.raw(`set local statement_timeout = ${STATEMENT_TIMEOUT}`));
      return {
        ages: await readAges(tx, store),
        bots: await countBots(tx),
        pictures: await readPictures(tx),
        credits: config.cmcApiKey === undefined ? {} : await readCredits(tx, config.cmcDailyCredits, clock()),
      };
    });

  /** Reads all figures. A read that is late goes on alone, and no other starts meanwhile. */
  async function renew(): Promise<void> {
    figures = undefined;
    try {
      figures = await readAll();
    } catch (error) {
      report(error);
    } finally {
      readAt = now();
      reading = undefined;
    }
  }

  return {
    /** Returns figures of the last 15 s; undefined if the database does not answer within 3 s. */
    async read(): Promise<DatabaseFigures | undefined> {
      if (!reading && now() - readAt < KEPT) return figures;
      reading ??= renew();
      const underway = reading;
      await withDeadline(timeout, undefined, () => underway).catch(() => undefined);
      return figures;
    },
  };
}

/** Seconds since a time, in the database's clock; 0 for none, and for one in the future. */
const ageOf = (time: SQL): SQL => sql`greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;

async function readAges(db: Db, store: Payments['kind']): Promise<DatabaseFigures['ages']> {
  const oldest = (column: PgColumn, where: SQL): Promise<number> =>
    readNumber(db, sql`select ${ageOf(sql`min(${column})`)} from ${column.table} where ${where}`);
  const due = (channel: ChannelName) =>
    oldest(deliveries.dueAt, sql`${deliveries.channel} = ${channel} and ${deliveries.state} = 'waiting' and ${deliveries.dueAt} <= now()`);
  return {
    deliveries_email: await due('email'),
    deliveries_push: await due('push'),
    deliveries_telegram: await due('telegram'),
    deliveries_webhook: await due('webhook'),
    questions: await oldest(chats.createdAt, sql`${chats.answeredAt} is null`),
    bot_jobs: await oldestBotJob(db),
    acknowledgement_mails: await oldest(contactMessages.createdAt, sql`${contactMessages.acknowledgeAt} is not null`),
    ended_plans: await oldest(
      subscriptions.endsAt,
      sql`${subscriptions.store} = ${store} and ${subscriptions.told} <> 'FREE' and ${subscriptions.endsAt} <= now()`,
    ),
  };
}

/** pg-boss creates its tables with the first bot, and changes those of an earlier version then. */
async function oldestBotJob(db: Db): Promise<number> {
  const isReady = await readNumber(
    db,
    sql`select count(*) from pg_attribute where attrelid = to_regclass('boss.job') and attname = 'blocked'`,
  );
  if (isReady === 0) return 0;
  const waiting = sql`name = ${BOT_QUEUE} and state < 'active' and not blocked`;
  return readNumber(db, sql`select ${ageOf(sql`min(start_after)`)} from boss.job where ${waiting}`);
}

async function countBots(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of bots.status.enumValues) counts[status.toLowerCase()] = await countRows(db, bots, eq(bots.status, status));
  return counts;
}

async function readCredits(db: Db, daily: number, now: number): Promise<Record<string, number>> {
  const parts = creditBudgets(daily);
  const keys = Object.values(parts).map(({ key }) => key);
  const rows = await db.select().from(budgets).where(inArray(budgets.key, keys));
  const left = ({ key, max }: { key: string; max: number }): number => {
    const row = rows.find((one) => one.key === key && one.endsAt.getTime() > now);
    return Math.max(0, max - (row?.used ?? 0));
  };
  return Object.fromEntries(Object.entries(parts).map(([of, part]) => [of, left(part)]));
}

async function countPictures(db: Db): Promise<Pictures> {
  const kinds: [string, PgTable, PgColumn][] = [
    ['profile', profilePictures, profilePictures.size],
    ['chat', chatImages, chatImages.size],
    ['preview', chatImages, chatImages.previewSize],
    ['contact', contactFiles, contactFiles.size],
  ];
  const pictures: Pictures = { counts: {}, bytes: {} };
  for (const [kind, table, size] of kinds) {
    const count = await countRows(db, table);
    pictures.counts[kind] = count;
    pictures.bytes[kind] = Math.round(count * (await meanOf(db, size)));
  }
  return pictures;
}
