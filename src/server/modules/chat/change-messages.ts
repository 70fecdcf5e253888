import type { Message, Rating } from '#contract/chat/chat.ts';
import type { Clock } from '#domain/clock.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/open.ts';
import { notFound } from '#server/http/errors.ts';
import type { Allowances } from '../allowances/service.ts';
import type { Archives } from '../archives/service.ts';
import type { Answering } from './answering.ts';
import type { ChatEvents } from './events.ts';
import type { Images } from './images.ts';
import { readMessage } from './read-messages.ts';
import { deleteMessages, isOlder, isStarted, lockMessage, type MessageRow, rateAnswer, stopQuestion } from './store.ts';
import { toMessage, toResponse } from './to-message.ts';

interface Parts {
  archives: Archives;
  allowances: Allowances;
  images: Pick<Images, 'forget'>;
  answering: Answering;
  events: ChatEvents;
  clock: Clock;
}

/** Ends the reservation of an unanswered question: it is charged if work on its answer has started. */
export const settleAllowance = (allowances: Allowances, tx: Tx, row: MessageRow): Promise<void> =>
  isStarted(row) ? allowances.spend(tx, row.userId, [row.id]) : allowances.release(tx, row.userId, [row.id]);

/** Stops an unanswered question; an answered one does not change. Call `tell` after the commit. Throws 404. */
export async function stopMessage(parts: Parts, tx: Tx, userId: string, id: string): Promise<{ message: Message; tell: () => void }> {
  const row = await lockMessage(tx, userId, id);
  if (!row) throw notFound();
  if (row.answeredAt) return { message: toMessage(row), tell: () => undefined };
  await settleAllowance(parts.allowances, tx, row);
  const stopped = await stopQuestion(tx, row, new Date(parts.clock()));
  return {
    message: toMessage(stopped),
    tell() {
      parts.answering.drop((other) => isOlder(other, stopped));
      parts.events.emit('response', userId, toResponse(stopped));
    },
  };
}

/** Rates an answer; an unanswered question does not change. Throws 404. */
export async function rateMessage(tx: Tx, userId: string, id: string, rating: Rating | null): Promise<Message> {
  await rateAnswer(tx, userId, id, rating);
  return readMessage(tx, userId, id);
}

/** Deletes a conversation with its messages and pictures. Call `tell` after the commit. Throws 404. */
export async function deleteConversation(parts: Parts, tx: Tx, userId: string, archiveId: string): Promise<{ tell: () => void }> {
  const { archives, allowances, images, answering } = parts;
  await lockUser(tx, userId);
  if (!(await archives.lock(tx, userId, archiveId))) throw notFound();
  const deleted = await deleteMessages(tx, userId, archiveId);
  const ids = deleted.map(({ id }) => id);
  const started = deleted.filter(isStarted).map(({ id }) => id);
  await allowances.spend(tx, userId, started);
  await allowances.release(tx, userId, ids);
  const imageIds = deleted.flatMap(({ imageId }) => imageId ?? []);
  const { removeFiles } = await images.forget(tx, userId, imageIds);
  await archives.remove(tx, userId, archiveId);
  return {
    tell() {
      answering.drop((row) => row.userId === userId && ids.includes(row.id));
      removeFiles();
    },
  };
}
