import * as z from 'zod/mini';
import { uuid } from '#contract/chat/archive.ts';
import type { MarketHints } from '../ports/market-data/market-data.ts';

/** What changed: ids of the answered question, of the conversation, of the notification or of the session. */
const changeKind = z.enum(['answer', 'title', 'notification', 'ended-session']);

/** A committed change of a user's data. The receiver reads the rest from the database. */
export const change = z.object({ userId: uuid, kind: changeKind, id: uuid });
export type Change = z.infer<typeof change>;

export interface ChangeListener {
  onChange(change: Change): void;
  /** Changes may have been missed: at each start of listening, and when another process could not send its changes. */
  onGap(): void;
}

/** Tells the processes on one database of each other's changes. The messages are hints: they can be lost, and none is heard twice. */
export interface FanOut {
  /** Tells the other processes of a change. Call it after the commit. Returns at once and never throws. */
  publish(change: Change): void;
  /** Hears the changes of other processes until `close`. Resolves after the first attempt to connect, or a second. */
  listen(listener: ChangeListener): Promise<void>;
  /** Hints about the market's shared answers, by their keys. */
  market: MarketHints;
  /** Returns whether changes of other processes arrive; always true in a process that does not listen. */
  isListening(): boolean;
  /** Returns how often the connection for listening was lost. */
  lostCount(): number;
  /** Sends what waits, within two seconds, and stops listening. */
  close(): Promise<void>;
}

/** For the only process of a database. */
export const noFanOut: FanOut = {
  publish: () => undefined,
  listen: async () => undefined,
  market: { publish: () => undefined, listen: () => undefined },
  isListening: () => true,
  lostCount: () => 0,
  close: async () => undefined,
};

/**
 * Returns the check that changes of other processes have arrived at least once, so that a wrong address shows at the start. A listener
 * that is lost later leaves the process ready: its pages reload, and all processes of a Redis would be lost at once.
 */
export const listenerCheck = ({ isListening, lostCount }: Pick<FanOut, 'isListening' | 'lostCount'>) => ({
  name: 'listener',
  run: async () => isListening() || lostCount() > 0,
});

/** Carries messages between processes. */
export interface Channel {
  /** Sends the messages to all processes that listen, this one included. */
  send(messages: readonly string[]): Promise<void>;
  /**
   * Connects, and calls `hear` with each message until `signal` aborts. Calls `lose` when the connection breaks later.
   * @returns checks that the connection still answers
   */
  subscribe(hear: (message: string) => void, lose: (error: Error) => void, signal: AbortSignal): Promise<() => Promise<unknown>>;
  close(): Promise<void>;
}
