import { isMissing } from '#client/platform/api/errors.ts';
import { load } from '#client/platform/cache/resource.ts';
import { transact } from '#client/platform/db/transact.ts';
import type { MessageRow, UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { rowIdOf, unsentQuestions } from '#client/platform/outbox/questions.ts';
import { refreshProfile } from '#client/platform/session/profile.ts';
import { signedIn } from '#client/platform/session/signed-in.ts';
import type { ChatResponse } from '#contract/chat/chat.ts';
import { conversation } from '../conversation/conversation.ts';
import { renewPreview } from '../conversation/message-rows.ts';
import { withDeviceAnswer } from '../device-answer/device-answer.ts';
import { askToUpgrade } from '../upgrade/upgrade-prompt.ts';

/** Number of open views per conversation. Open conversations are reloaded after each reconnect. */
const open = new Map<string, number>();

/** Marks a conversation as open. Returns a function that undoes it. */
export function keepOpen(archiveId: string): () => void {
  open.set(archiveId, (open.get(archiveId) ?? 0) + 1);
  return () => {
    const others = (open.get(archiveId) ?? 1) - 1;
    if (others > 0) open.set(archiveId, others);
    else open.delete(archiveId);
  };
}

/** Conversations that the server does not have, because another device deleted them: only the next connection asks again. */
const gone = new Set<string>();

/** Reloads a conversation. On failure the stored messages stay, and the next connection retries. */
async function pull(db: UserDb, userId: string, archiveId: string): Promise<void> {
  gone.delete(archiveId);
  await load(db, conversation, { userId, archiveId }).catch((error: unknown) => {
    if (isMissing(error)) gone.add(archiveId);
  });
}

/** Stores an answer from the socket. An error is stored in place of the answer. What cannot be read is reloaded later (`pullUnanswered`). */
export async function takeAnswer(event: unknown): Promise<void> {
  const schema = await import('#contract/chat/chat.ts').then(
    ({ chatResponse }) => chatResponse,
    () => undefined,
  );
  const parsed = schema?.safeParse(event);
  const user = signedIn();
  if (!parsed?.success || !user) return;
  // The server stored nothing. The acknowledgment that follows parks the question's command.
  if (parsed.data.subscription_error) askToUpgrade();
  else if (!(await storeAnswer(user.db, parsed.data))) await pull(user.db, user.userId, parsed.data.archive_id); // asked on another device
  await refreshProfile(user.db, user.userId); // updates the rest of the month's allowance
}

/** Returns false if the question is not on the device. */
function storeAnswer(db: UserDb, response: ChatResponse): Promise<boolean> {
  const { chat_id, archive_id, chat_status, error, ai_response, message, user_message, chat } = response;
  return transact(db, [db.archives, db.messages, db.outbox], async (db) => {
    const unsent = await unsentQuestions(db);
    // Ignore the answer to the earlier text of a message with an unsent edit.
    if (unsent.some(({ body }) => body.message.chat_id === chat_id)) return true;
    const row = (await db.messages.get(chat_id)) ?? (await sameQuestion(db, archive_id, user_message, chat?.position));
    if (!row) return false;
    // An answer proves that the question arrived, even if its acknowledgment was lost.
    for (const command of unsent) if (rowIdOf(command) === row.id) await db.outbox.where('id').equals(command.id).delete();
    if (row.id !== chat_id) await db.messages.delete(row.id);
    const failed = error !== undefined;
    const answered = chat ?? { ...row, id: chat_id, chat_status, ai_response: error ?? ai_response ?? message ?? '', failed };
    await db.messages.put(withDeviceAnswer(answered, row));
    await renewPreview(db, archive_id, [chat_id]);
    return true;
  });
}

/** Finds the unanswered question by text and position, for a server that assigns its own ids. */
async function sameQuestion(
  db: UserTables,
  archiveId: string,
  text: string,
  position: number | undefined,
): Promise<MessageRow | undefined> {
  const rows = await db.messages
    .where('[archive_id+position]')
    .between([archiveId, 0], [archiveId, Number.MAX_SAFE_INTEGER])
    .filter(({ chat_status, user_message }) => chat_status === 'message' && user_message === text)
    .toArray();
  return rows.find((row) => row.position === position) ?? (position === undefined ? rows[0] : undefined);
}

/** Reloads what the socket may have missed: open conversations and those that wait for an answer. */
export async function pullMissed(): Promise<void> {
  const user = signedIn();
  if (!user) return;
  const waiting = await user.db.messages.where('chat_status').equals('message').toArray();
  const ids = new Set([...open.keys(), ...waiting.map(({ archive_id }) => archive_id)]);
  await Promise.all([...ids].map((archiveId) => pull(user.db, user.userId, archiveId)));
}

/** Reloads the conversations whose questions the server has and has not answered yet, as far as this device knows. */
export async function pullUnanswered(): Promise<void> {
  const user = signedIn();
  if (!user) return;
  const waiting = await user.db.messages.where('chat_status').equals('message').toArray();
  const unsent = new Set((await unsentQuestions(user.db)).map(rowIdOf));
  const asked = waiting.filter(({ id, archive_id }) => !unsent.has(id) && !gone.has(archive_id));
  const ids = new Set(asked.map(({ archive_id }) => archive_id));
  await Promise.all([...ids].map((archiveId) => pull(user.db, user.userId, archiveId)));
}
