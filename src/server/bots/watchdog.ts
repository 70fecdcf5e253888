import { and, eq, isNotNull, lt, or } from 'drizzle-orm';
import { SILENCE } from '#domain/bots/bot-alarms.ts';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Db } from '../db/open.ts';
import { bots } from '../db/schema/bots.ts';
import type { Notify } from '../modules/notifications/service.ts';
import { noticeOf } from './messages/money.ts';
import { addEvent } from './store/events.ts';

/** ms. */
const CHECK_INTERVAL = MINUTE;
/** Bots in one check. */
const MAX_BOTS = 200;

const SILENT_TEXT = 'The bot has not reached the exchange for more than 15 minutes. Orders on the exchange, stops included, stay active.';

interface Parts {
  db: Db;
  clock: Clock;
  notify: Notify;
  report: (error: unknown) => void;
}

/**
 * Creates the watchdog, which notifies users whose bots have not reached the exchange for `SILENCE`. It works without the engine, so
 * that it also reports an engine that does not run.
 */
export function createWatchdog({ db, clock, notify, report }: Parts) {
  let timer: ReturnType<typeof setInterval> | undefined;

  async function check(): Promise<void> {
    const silent = await db
      .select({
        id: bots.id,
        userId: bots.userId,
        name: bots.name,
        exchange: bots.exchange,
        testnet: bots.testnet,
        seen: bots.lastExchangeAt,
      })
      .from(bots)
      .where(
        and(
          or(eq(bots.status, 'RUNNING'), eq(bots.status, 'STOPPING'), isNotNull(bots.position)),
          lt(bots.lastExchangeAt, new Date(clock() - SILENCE)),
        ),
      )
      .limit(MAX_BOTS);
    for (const { id, userId, seen, ...bot } of silent) {
      const show = await db.transaction(async (tx) => {
        const event = { actor: 'engine', kind: 'silent', text: SILENT_TEXT, key: `silent:${seen?.getTime()}` } as const;
        if (!(await addEvent(tx, id, event, clock()))) return undefined;
        return notify(tx, userId, { kind: 'bot', text: noticeOf(bot, SILENT_TEXT), link: `/trading-bot/bots/${id}` });
      });
      show?.();
    }
  }

  return {
    check,
    start(): void {
      timer = setInterval(() => check().catch(report), CHECK_INTERVAL).unref();
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}
