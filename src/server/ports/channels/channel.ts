import type { Notification } from '#contract/notification.ts';
import type { ChannelName } from '#contract/notifications/channels.ts';

/** Where a channel reaches a user: a row of `destinations`. */
export interface Destination {
  id: string;
  address: string;
  details: Record<string, unknown>;
  sealed: Buffer | null;
}

/** One notification, or several that waited for the end of quiet hours, on its way by a channel. */
export interface Message {
  /** Id of the delivery: the same in each attempt, so that a provider or receiver can drop repeats. */
  id: string;
  /** Proves to `POST /api/notification/receipt` that the receiver has the message. */
  receipt: string;
  userId: string;
  notificationId: string;
  kind: Notification['kind'];
  urgent: boolean;
  /** Plain text, which may have lines. */
  text: string;
  /** A path of the app, or null. */
  link: string | null;
  createdAt: Date;
  /** Number of notifications in this message. */
  count: number;
  /** Null for e-mail. */
  destination: Destination | null;
}

/** What came of an attempt to send. A rejected promise means `retry`. */
export type Outcome =
  | { outcome: 'sent' }
  /** Try again, after `after` ms if the provider said so. `pause`: this holds for all messages of the channel. */
  | { outcome: 'retry'; reason: string; after?: number | undefined; pause?: boolean }
  /** The provider refuses this message for good. `counts`: enough such refusals in a row end the destination. */
  | { outcome: 'refused'; reason: string; counts?: boolean }
  /** The destination exists no more: nothing is sent there again. */
  | { outcome: 'gone'; reason: string };

/** A way by which notifications leave the app. */
export interface Channel {
  name: ChannelName;
  /** Messages that one process sends at the same time. */
  atOnce: number;
  /**
   * Sends a message. The signal aborts when the time of the attempt is over. Where each message has its own receiver, the channel calls `waits`
   * when this one's time begins: a slow receiver takes no place of the others.
   */
  send(message: Message, signal: AbortSignal, waits?: () => void): Promise<Outcome>;
}
