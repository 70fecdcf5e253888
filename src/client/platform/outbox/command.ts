/**
 * A user's action that the server has not confirmed. It is written in the same transaction as the rows that the user
 * sees, and removed only after the server has stored it.
 */
export interface Command<Body = unknown> {
  /** Order within a lane, assigned by the database. */
  seq?: number;
  /** Sent as the idempotency key, so that retries have no further effect. */
  id: string;
  /** Commands of one lane are sent in order; lanes are independent. */
  lane: string;
  body: Body;
  createdAt: number;
  attempts: number;
  /** `parked`: the server refused it, and the user decides to retry or discard it. */
  state: 'waiting' | 'parked';
  /** Why the server refused or delays it. */
  reason?: string;
}
