import { ApiError } from '../api/errors.ts';
import type { UserDb } from '../db/user-db.ts';
import type { Command } from './command.ts';
import { type DrainResult, drain, Refused } from './outbox.ts';

/** How the commands of one lane reach the API. Page and worker drain the same lanes, whoever comes first. */
export interface HttpLane<Body> {
  name: string;
  /** Resolves once the server's answer has been understood. Throws as `call`. */
  send(db: UserDb, command: Command<Body>): Promise<void>;
}

export type OnRefused<Body> = (body: Body, reason: string) => void;

/**
 * Sends what waits in a lane, as far as it gets: what the server will not have is parked, the rest stays.
 * `onRefused` is for telling somebody who looks.
 */
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

/** Sending again would meet the same answer. */
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);

/** What a sender throws because of `error`: Refused for a final no, else the error itself. */
export const refusedFor = (error: unknown): unknown => (isFinal(error) ? new Refused(error.message) : error);
