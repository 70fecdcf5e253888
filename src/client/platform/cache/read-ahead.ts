import { isUnderWay } from '../api/early-answer.ts';
import type { UserDb } from '../db/user-db.ts';
import { currentDb } from '../session/current-db.ts';
import { within } from '../within.ts';
import { onForget } from './memory.ts';

export interface AnswerAhead {
  /** It has the beginning of the data alone. */
  isPart?: true;
}

/** A query of a page's first render, by the key of its `useUserLive`. */
export interface Ahead {
  key: string;
  query: (db: UserDb) => Promise<unknown>;
  /** Path of the request that the first script may have sent for it. */
  askedAt?: string | undefined;
  /** Takes the answer to that request. Rejects as the request does. */
  ask?(userId: string): Promise<AnswerAhead>;
  /** Does a part of that render's work with the result. */
  prepare?(result: unknown): void;
}

/** The longest wait before the first render, ms. A stored screen stays as long. */
const LIMIT = 4_000;
/** The longest wait for an answer of the server, ms. Then the first render shows that it is under way. */
const ANSWER_LIMIT = 300;

interface Result {
  value: unknown;
}

const results = new Map<string, Result>();
/** The reads behind `results`. One that is not in here is outdated: the device may know more than it found. */
const reads = new Map<string, Promise<Result | undefined>>();
/** Answers of the server that came before the first render, and those that the page takes instead of asking. */
const answers = new Map<string, AnswerAhead>();
const underWay = new Map<string, Promise<AnswerAhead>>();
const name = (userId: string, key: string) => `${userId}/${key}`;

/**
 * Reads what a page shows, so that its first render is complete. Resolves after 4 s at the latest and never rejects: the
 * page then reads by itself.
 */
export async function readAhead(userId: string, queries: readonly Ahead[]): Promise<void> {
  const read = ({ key, query, prepare }: Ahead) => {
    const place = name(userId, key);
    const reading: Promise<Result | undefined> = currentDb(userId)
      .then(query)
      .then((value) => {
        if (reads.get(place) !== reading) return undefined;
        prepare?.(value);
        const result = { value };
        results.set(place, result);
        return result;
      })
      .catch(() => undefined);
    reads.set(place, reading);
    return reading;
  };
  await within(LIMIT, Promise.all(queries.map(read)));
}

/** Waits briefly for the answer that the first script has asked for, so that the first render has it. Never rejects: the page asks by itself. */
export async function askAhead(userId: string, queries: readonly Ahead[]): Promise<void> {
  let isLate = false;
  const take = async ({ key, askedAt, ask }: Ahead) => {
    if (!ask || !isUnderWay(askedAt)) return;
    const place = name(userId, key);
    const answering = ask(userId);
    underWay.set(place, answering);
    const answer = await answering.catch(() => undefined);
    if (isLate) return;
    if (answer) answers.set(place, answer);
    // The page asks for the rest, or once more.
    if (!answer || answer.isPart) underWay.delete(place);
  };
  await within(ANSWER_LIMIT, Promise.all(queries.map(take)));
  isLate = true;
}

/** Returns a result in an object, unless there is none. */
export const resultAhead = <T>(userId: string, key: string) => results.get(name(userId, key)) as { value: T } | undefined;

/** Resolves like `resultAhead` after the read under way; undefined without one. */
export const readingAhead = <T>(userId: string, key: string) =>
  reads.get(name(userId, key)) as Promise<{ value: T } | undefined> | undefined;

/** Returns the answer of `askAhead` for the first render, if it came in time. */
export const answerAhead = <T>(userId: string, key: string) => answers.get(name(userId, key)) as T | undefined;

/** Returns the answer of `askAhead` once, instead of another request. */
export function takeAhead<T>(userId: string, key: string): Promise<T> | undefined {
  const place = name(userId, key);
  const answering = underWay.get(place);
  underWay.delete(place);
  return answering as Promise<T> | undefined;
}

/** Forgets the results, because the device may know more. */
export function dropResults(): void {
  reads.clear();
  results.clear();
  answers.clear();
  underWay.clear();
}
onForget(dropResults);
