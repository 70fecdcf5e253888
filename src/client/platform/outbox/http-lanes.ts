import { ApiError } from '../api/errors.ts';
import type { UserDb } from '../db/user-db.ts';
import type { Command } from './command.ts';
import { type DrainResult, drain, Refused } from './outbox.ts';

/** How the commands of one lane reach the API. Page and worker drain the same lanes under one lock. */
export interface HttpLane<Body> {
  name: string;
  /** Resolves once the answer is parsed. Throws as `call`. */
  send(db: UserDb, command: Command<Body>): Promise<void>;
}

export type OnRefused<Body> = (body: Body, reason: string) => void;

/** Sends a lane's queued commands until one fails, and parks refused ones. `onRefused` is for telling the user. */
export const drainLane = <Body>(db: UserDb, lane: HttpLane<Body>, onRefused?: OnRefused<Body>): Promise<DrainResult> =>
  drain<Body>(db, lane.name, async (command) => {
    try {
      await lane.send(db, command);
    } catch (error) {
      const reason = refusedFor(error);
      if (reason instanceof Refused) onRefused?.(command.body, reason.message);
      throw reason;
    }
  });

/** Returns whether a retry would get the same answer. */
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);

/** Returns what a sender throws for `error`: Refused if retries are useless, else the error itself. */
export const refusedFor = (error: unknown): unknown => (isFinal(error) ? new Refused(error.message) : error);
