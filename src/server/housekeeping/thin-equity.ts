import { and, asc, eq, gt, gte, inArray, lt, or, sql } from 'drizzle-orm';
import { DAY, HOUR } from '#domain/clock.ts';
import { botEquity, bots } from '#server/db/schema/bots.ts';
import type { Work } from './delete-rows.ts';
import { readTimeMark, setMark } from './marks.ts';

/** Equity keeps every minute for two days, then five points an hour, and after a month five a day, for the life of the bot. */
const LEVELS = [
  { unit: 'hour', span: HOUR, after: 2 * DAY },
  { unit: 'day', span: DAY, after: 30 * DAY },
] as const;
type Level = (typeof LEVELS)[number];

/** Bots whose curves one statement thins. */
const BOTS = 20;

/** Thins the curves of all bots, each hour and day once. */
export async function thinEquity(work: Work): Promise<void> {
  for (const level of LEVELS) {
    const mark = `equity ${level.unit}`;
    const to = Math.floor((work.now - level.after) / level.span) * level.span;
    const from = (await readTimeMark(work.db, mark, work.now)) ?? 0;
    if (from >= to) continue;
    await thinAll(work, level, new Date(from), new Date(to));
    await setMark(work.db, mark, String(to));
  }
}

async function thinAll(work: Work, level: Level, from: Date, to: Date): Promise<void> {
  let ids: string[] = [];
  do {
    await work.pause();
    const last = ids.at(-1);
    const rows = await work.db
      .select({ id: bots.id })
      .from(bots)
      .where(last ? gt(bots.id, last) : undefined)
      .orderBy(asc(bots.id))
      .limit(BOTS);
    ids = rows.map(({ id }) => id);
    if (ids.length > 0) await thin(work, level, { ids, from, to });
  } while (ids.length === BOTS);
}

/**
 * Keeps of each period the last, the highest and the lowest point, and the pair with the largest fall: so the largest drawdown of the curve
 * stays exactly as it is.
 */
async function thin({ db }: Work, { unit }: Level, { ids, from, to }: { ids: string[]; from: Date; to: Date }): Promise<void> {
  const { botId, at, equity } = botEquity;
  const period = sql`partition by ${botId}, date_trunc(${sql.raw(`'${unit}'`)}, ${at}, 'UTC')`;
  const points = db
    .select({
      botId,
      at,
      equity,
      period: sql`date_trunc(${sql.raw(`'${unit}'`)}, ${at}, 'UTC')`.as('period'),
      peak: sql<number>`max(${equity}) over (${period} order by ${at})`.as('peak'),
    })
    .from(botEquity)
    .where(and(inArray(botId, ids), gte(at, from), lt(at, to)))
    .as('points');
  const same = sql`partition by ${points.botId}, ${points.period}`;
  const fall = sql`${points.equity} / nullif(${points.peak}, 0)`;
  const ranked = db
    .select({
      botId: points.botId,
      at: points.at,
      equity: points.equity,
      late: sql`row_number() over (${same} order by ${points.at} desc)`.as('late'),
      high: sql`row_number() over (${same} order by ${points.equity} desc, ${points.at})`.as('high'),
      low: sql`row_number() over (${same} order by ${points.equity}, ${points.at})`.as('low'),
      deep: sql`row_number() over (${same} order by ${fall}, ${points.at})`.as('deep'),
      worstPeak: sql`first_value(${points.peak}) over (${same} order by ${fall}, ${points.at})`.as('worst_peak'),
      first: sql`row_number() over (${same}, ${points.equity} order by ${points.at})`.as('first'),
    })
    .from(points)
    .as('ranked');
  const isPeak = and(eq(ranked.equity, ranked.worstPeak), eq(ranked.first, 1));
  const isKept = or(eq(ranked.late, 1), eq(ranked.high, 1), eq(ranked.low, 1), eq(ranked.deep, 1), isPeak);
  const idle = db.select({ botId: ranked.botId, at: ranked.at }).from(ranked).where(sql`not (${isKept})`);
  await db.delete(botEquity).where(sql`(${botId}, ${at}) in ${idle}`);
}
