import { shorten } from '#domain/text.ts';
import type { Message } from '#server/ports/channels/channel.ts';
import { receiptToken } from './receipts.ts';
import type { DeliveryRow, findContents } from './store.ts';

/** Held notifications up to this number are sent one by one, more of them as one message. */
export const MAX_SINGLE = 3;
/** Notifications that a message for several names. */
const MAX_NAMED = 5;
/** Characters of each of them. */
const MAX_LINE = 200;

export type Content = Awaited<ReturnType<typeof findContents>>[number];

/** Returns the message of a delivery: one notification, or several that waited for the end of quiet hours. */
export function compose(row: DeliveryRow, contents: readonly [Content, ...Content[]]): Message {
  const { id, userId, urgent } = row;
  const { notification, destination } = contents.at(-1) ?? contents[0];
  const { id: notificationId, kind, link, createdAt } = notification;
  const common = { id, receipt: receiptToken(row), userId, urgent, destination, notificationId, kind, createdAt, count: contents.length };
  return contents.length === 1 ? { ...common, text: notification.text, link } : { ...common, text: digestOf(contents), link: '/' };
}

function digestOf(contents: readonly Content[]): string {
  const named = contents.slice(-MAX_NAMED).map(({ notification: { text } }) => `- ${lineOf(text)}`);
  const others = contents.length - named.length;
  return [
    `${contents.length} notifications came in your quiet hours.`,
    ...(others > 0 ? [`The newest ${named.length}:`] : []),
    ...named,
  ].join('\n');
}

function lineOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return shorten(line.slice(0, 3 * MAX_LINE), MAX_LINE);
}
