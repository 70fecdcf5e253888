import { DrizzleQueryError } from 'drizzle-orm';

/** No connection to the database could be had. */
export class NoConnectionError extends Error {
  constructor(cause: unknown) {
    super('no connection to the database', { cause });
  }
}

/** Codes for a transaction that the database ended in favor of another one: serialization failure, deadlock. */
const CONFLICTS = new Set(['40001', '40P01']);

/** Code for a lock that did not come within lock_timeout. */
const LOCK_TIMED_OUT = '55P03';

/** Code for a change on a server that only reads: after a failover, a connection may lead to one. */
const READ_ONLY = '25006';

/** Code for a statement for which the server's role has no right. */
const NO_RIGHT = '42501';

/** Code for a change for which the disk of the database has no room. */
const DISK_FULL = '53100';

/** Beginnings of the codes for work that the database cannot do at the moment. */
const AWAY = [
  '08', // connection exception
  '53', // out of disk space, memory or connections
  '57P', // shutting down or starting up
  LOCK_TIMED_OUT,
  '57014', // statement_timeout
  '58', // system error
  READ_ONLY,
  NO_RIGHT,
];

/** Message of pg for a query whose answer did not come in time. */
const NO_ANSWER = 'Query read timeout';

/** Returns whether the database ended a transaction because of another one. Repeated, it can succeed. */
export const isConflict = (error: unknown): boolean => CONFLICTS.has(replyCode(queryError(error)) ?? '');

/** Codes for a plan whose result would have other columns than when it was made, for one that the connection lacks, and for one that it has. */
const USELESS_PLANS = new Set(['0A000', '26000', '42P05']);

/** Returns whether PostgreSQL cannot use the plan that it has kept for a statement. Without its name, the statement can succeed. */
export const isUselessPlan = (error: unknown): boolean => USELESS_PLANS.has(replyCode(queryError(error) ?? error) ?? '');

/** Returns whether a statement gave up waiting for a lock. */
export const isLockTimeout = (error: unknown): boolean => replyCode(queryError(error) ?? error) === LOCK_TIMED_OUT;

/** Returns whether a query had no answer in time: its connection is probably broken. */
export function isUnanswered(error: unknown): boolean {
  const found = queryError(error) ?? error;
  return found instanceof Error && found.message === NO_ANSWER;
}

/** Codes for a connection that PostgreSQL ended or refused, because it stops or starts, and for one to the wrong server. */
const USELESS = ['57P01', '57P02', '57P03', READ_ONLY];

/** Returns whether a transaction's connection broke or only reads. Before the commit, nothing of it has happened then. */
export const isConnectionLost = (error: unknown): boolean => isConnectionError(queryError(error));

/** Returns whether a query of pg failed because its connection broke. */
export function isConnectionError(failure: unknown): boolean {
  if (failure instanceof NoConnectionError || isUnanswered(failure)) return false; // these have taken their time already
  const code = replyCode(failure);
  if (code !== undefined) return USELESS.includes(code);
  return failure instanceof Error && !(failure instanceof TypeError);
}

/** Returns whether the database is away or overloaded, so that the same request can succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof NoConnectionError) return true;
  const found = queryError(error);
  const code = replyCode(found);
  if (code !== undefined) return CONFLICTS.has(code) || AWAY.some((start) => code.startsWith(start));
  return found !== undefined && !(found instanceof TypeError); // no reply: the connection broke
}

/** Beginnings of the codes for a value that a column cannot hold, and for one that breaks a rule. */
const BAD_VALUE = ['22', '23'];

/** Returns whether the database refuses a value, which it would refuse again. */
export function isBadValue(error: unknown): boolean {
  const code = replyCode(queryError(error));
  return BAD_VALUE.some((start) => code?.startsWith(start));
}

/** Beginnings of further codes for what only an operator can change. */
const REFUSED = [
  '28', // user or password
  '3D', // no such database
];

/** Returns in PostgreSQL's own words what an operator can change, so that the next start succeeds; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  const found = queryError(error) ?? error;
  const code = replyCode(found);
  return [...AWAY, ...REFUSED].some((start) => code?.startsWith(start)) ? (found as Error).message : undefined;
}

/** Returns in PostgreSQL's own words which right the role lacks; undefined for any other error. */
export const missingRightOf = (error: unknown): string | undefined => wordsFor([NO_RIGHT], error);

/** Returns in PostgreSQL's own words what stays until an operator acts, a missing right or a full disk; undefined for any other error. */
export const lastingFaultOf = (error: unknown): string | undefined => wordsFor([NO_RIGHT, DISK_FULL], error);

function wordsFor(codes: readonly string[], error: unknown): string | undefined {
  const found = queryError(error) ?? error;
  return codes.includes(replyCode(found) ?? '') ? (found as Error).message : undefined;
}

/** Returns why the database was away; undefined for any other error. */
export function absenceOf(error: unknown): string | undefined {
  if (!isDatabaseAway(error)) return undefined;
  let cause = error as Error;
  while (cause.cause instanceof Error) cause = cause.cause;
  return cause.message;
}

/** Returns why a query failed. */
const queryError = (error: unknown): unknown => (error instanceof DrizzleQueryError ? error.cause : undefined);

/** Returns the code of an error that the database sent. Errors of the connection have no severity. */
function replyCode(error: unknown): string | undefined {
  return error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : undefined;
}
