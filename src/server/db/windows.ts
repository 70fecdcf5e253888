import { type SQL, sql } from 'drizzle-orm';
import { type Clock, SECOND } from '#domain/clock.ts';

/** The clock of counted windows: 'database' where several processes count, because their own clocks may differ. */
export type CountClock = Clock | 'database';

/** Returns a clock's time in SQL. */
export const timeOf = (clock: CountClock): SQL<Date> =>
  clock === 'database' ? sql<Date>`now()` : sql<Date>`to_timestamp(${clock() / SECOND}::float8)`;

/** Returns the end of the window of `span` ms that contains a time. Windows start at multiples of `span` since 1970. */
export const windowEnd = (time: SQL<Date>, span: number): SQL<Date> => {
  const seconds = sql`${span / SECOND}::float8`;
  return sql`to_timestamp((floor(extract(epoch from ${time})::float8 / ${seconds}) + 1) * ${seconds})`;
};
