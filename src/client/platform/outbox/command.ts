/**
 * Something the user did that the server has yet to hear of. It is written in the same transaction as
 * what the user sees of it, and removed only when the server has it.
 */
export interface Command<Body = unknown> {
  /** Order of sending within a lane; given by the database. */
  seq?: number;
  /** Travels as the idempotency key: however often it is sent, it happens once. */
  id: string;
  /** Commands of one lane are sent one after another; lanes do not wait for each other. */
  lane: string;
  body: Body;
  createdAt: number;
  attempts: number;
  /** `parked`: the server refused it; it waits for the user to retry or discard. */
  state: 'waiting' | 'parked';
  /** Why the server refused it, or why it does not take it yet. */
  reason?: string;
}
