import type { ChatMessage, Message } from '#contract/chat/chat.ts';
import { questionFault } from '#contract/chat/question-limits.ts';
import type { Clock } from '#domain/clock.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { together } from '#server/db/together.ts';
import { badRequest, notFound, Problem } from '#server/http/errors.ts';
import type { Allowances } from '../allowances/service.ts';
import type { Archives } from '../archives/service.ts';
import type { Answering } from './answering.ts';
import { settleAllowance } from './change-messages.ts';
import type { Images } from './images.ts';
import { stripNul } from './storable.ts';
import { countUnanswered, findMessage, insertQuestion, isOlder, lockMessage, type MessageRow, replaceQuestion } from './store.ts';
import { toMessage } from './to-message.ts';

/** Questions of one user that may wait for an answer. */
export const MAX_UNANSWERED = 20;
/** Questions that a user may send in a minute: over the socket, and over HTTP. */
export const QUESTIONS_A_MINUTE = 30;

interface Parts {
  db: Db;
  archives: Archives;
  allowances: Allowances;
  images: Pick<Images, 'use'>;
  answering: Answering;
  clock: Clock;
}

interface Asked {
  /** Id of this question, edit or retry. */
  id: string;
  archiveId: string;
  text: string;
  imageId: string | null;
}

/**
 * Stores a question, and its conversation if that is new, or replaces the earlier question `chat_id`. A repeated
 * `client_id` changes nothing and returns the stored row. The answer follows by `ChatEvents`.
 * @throws the refusals listed at `chatMessage` in the contract
 */
export async function askQuestion(parts: Parts, userId: string, message: ChatMessage): Promise<Message> {
  if (message.user_id !== userId) throw notFound();
  const text = stripNul(message.message).trim();
  const fault = questionFault(text); // text of NUL alone is empty now
  if (fault) throw badRequest('validation', fault, { fields: { message: fault } });
  const { chat_id: earlier } = message;
  const asked: Asked = {
    id: message.client_id.toLowerCase(),
    archiveId: message.archive_id.toLowerCase(),
    text,
    imageId: message.chat_image?.toLowerCase() ?? null,
  };
  const row = await parts.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    return earlier === 0 ? storeQuestion(parts, tx, userId, asked) : editQuestion(parts, tx, userId, earlier, asked);
  });
  parts.answering.drop((other) => isOlder(other, row));
  parts.answering.wake(userId, row.archiveId, { withPicture: row.imageId !== null });
  return toMessage(row);
}

async function storeQuestion(parts: Parts, tx: Tx, userId: string, { id, archiveId, text, imageId }: Asked): Promise<MessageRow> {
  const [, known, unanswered] = await together(
    parts.archives.hold(tx, userId, archiveId),
    findMessage(tx, userId, id),
    countUnanswered(tx, userId),
  );
  if (known) return known;
  refuseTooMany(unanswered);
  await reserve(parts, tx, userId, id, { id, imageId });
  return insertQuestion(tx, { userId, id, archiveId, text, imageId, createdAt: new Date(parts.clock()) });
}

async function editQuestion(
  parts: Parts,
  tx: Tx,
  userId: string,
  messageId: string,
  { id, archiveId, text, imageId }: Asked,
): Promise<MessageRow> {
  const row = await lockMessage(tx, userId, messageId);
  if (row?.archiveId !== archiveId) throw notFound('This message is no longer there.');
  if (row.edits.includes(id)) return row;
  if (row.answeredAt) refuseTooMany(await countUnanswered(tx, userId));
  else await settleAllowance(parts.allowances, tx, row);
  await reserve(parts, tx, userId, row.id, { id, imageId });
  return replaceQuestion(tx, row, { editId: id, text, imageId });
}

/** Throws 429 for a user with `MAX_UNANSWERED` questions. */
function refuseTooMany(unanswered: number): void {
  if (unanswered < MAX_UNANSWERED) return;
  const message = `You have ${MAX_UNANSWERED} questions without an answer. This one is sent after the next answer.`;
  throw new Problem(429, 'too_many_unanswered', message);
}

/** Reserves the allowance and the image of a question. */
async function reserve(
  { allowances, images }: Parts,
  tx: Tx,
  userId: string,
  messageId: string,
  { id, imageId }: Pick<Asked, 'id' | 'imageId'>,
): Promise<void> {
  await allowances.reserve(tx, { userId, id, chatId: messageId, kind: imageId === null ? 'question' : 'chart' });
  if (imageId !== null) await images.use(tx, userId, imageId);
}
