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

/** Runs a statement, or several. */
export type Run = (name: string, text: string) => Promise<void>;

/** A UUID of version 4 that follows from a text. */
export const idFrom = (text: string): string => `overlay(overlay(md5(${text}) placing '4' from 13) placing 'a' from 17)::uuid`;

export const user = (n: string): string => idFrom(`'user ' || ${n}`);
export const owner = idFrom(`'owner'`);
export const bot = (n: string): string => idFrom(`'bot ' || ${n}`);
export const some = (n: number): string => `generate_series(1, ${Math.ceil(n)}) n`;
export const ago = (days: string): string => `now() - (${days}) * interval '1 day'`;

/** Each user, in the order of the index, with the numbers from 1 to `count`. */
export const perUser = ({ users }: Scale, count: number): string =>
  `(select ${user('n')} id, n from ${some(users)} order by 1) u, generate_series(1, ${count}) m`;

export const perBotRows = ({ bots }: Scale, count: number): string =>
  `(select ${bot('n')} id, n from ${some(bots)} order by 1) b, generate_series(1, ${Math.ceil(count)}) m`;
