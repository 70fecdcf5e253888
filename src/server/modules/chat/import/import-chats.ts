import * as z from 'zod/mini';
import { readFigures } from '#contract/chat/answer-figures.ts';
import { MAX_ARCHIVES, MAX_PINS } from '#contract/chat/archive-limits.ts';
import { chartMarks } from '#contract/chat/chart-reading.ts';
import type { ImportBody, Imported, ImportedChat, ImportedMessage } from '#contract/chat/import-chats.ts';
import { isAnswered, MAX_IMPORTED_A_DAY, MAX_MESSAGES_TO_IMPORT } from '#contract/chat/import-chats.ts';
import { choices } from '#contract/chat/offers.ts';
import { coinId } from '#contract/market/watchlist.ts';
import { listOf } from '#contract/text.ts';
import { type Clock, DAY } from '#domain/clock.ts';
import type { Budgets } from '#server/budgets.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db } from '#server/db/open.ts';
import { tooMany } from '#server/http/errors.ts';
import { storableJson } from '../storable.ts';
import { createMessageCounts } from './message-counts.ts';
import { findKnown, insertChats, insertMessages, type Known, type NewChat, type NewMessage } from './store.ts';

const BUDGET = { max: MAX_IMPORTED_A_DAY, span: DAY };
/** Dates before it are wrong: bitcoin began then. */
const EARLIEST = Date.UTC(2009, 0, 3);

const coins = z.array(coinId).check(listOf(10));

const none = () => ({ chats: 0, messages: 0 });

/** Adds chats of an export to a user's own. Returns what was added, or with `preview` what would be. */
export type ImportChats = (userId: string, body: ImportBody) => Promise<Imported>;

export function createChatImport({ db, clock, budgets }: { db: Db; clock: Clock; budgets: Budgets }): ImportChats {
  const counts = createMessageCounts();
  return async (userId, { preview, chats }) => {
    const given = inLowerCase(chats);
    if (!preview && !(await budgets.take(`import ${userId}`, BUDGET, sizeOf(given))))
      throw tooMany('You have imported as much as is possible in a day. Go on tomorrow: what is here already stays.');
    const counted = await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      const known = await findKnown(tx, userId, given);
      const plan = planOf(given, { ...known, messageCount: await counts.of(tx, userId) }, clock());
      if (!preview) {
        await insertChats(tx, userId, plan.chats);
        await insertMessages(tx, userId, plan.messages);
      }
      return plan.counted;
    });
    if (!preview) counts.add(userId, counted.added.messages);
    return counted;
  };
}

/** The database has ids in lower case. */
const inLowerCase = (chats: readonly ImportedChat[]): ImportedChat[] =>
  chats.map((chat) => ({
    ...chat,
    id: chat.id.toLowerCase(),
    messages: chat.messages.map((message) => ({
      ...message,
      id: message.id.toLowerCase(),
      picture: message.picture?.toLowerCase() ?? null,
    })),
  }));

const sizeOf = (chats: readonly ImportedChat[]): number =>
  chats.reduce(
    (sum, { title, messages }) =>
      messages.reduce((all, { user_message, ai_response }) => all + user_message.length + ai_response.length, sum + title.length + 1),
    0,
  );

interface Plan {
  chats: NewChat[];
  messages: NewMessage[];
  counted: Imported;
}

/** Sorts chats and messages into new ones, known ones, and ones to leave out. */
function planOf(
  given: readonly ImportedChat[],
  { chatIds, messageIds, imageIds, last, chatCount, pinCount, messageCount }: Known & { messageCount: number },
  now: number,
): Plan {
  const plan: Plan = { chats: [], messages: [], counted: { added: none(), present: none(), left_out: none() } };
  const { added, present, left_out } = plan.counted;
  const timeOf = (text: string) => new Date(Math.min(Math.max(Date.parse(text), EARLIEST), now));
  const positions = new Map(last);
  const chats = new Set(chatIds);
  const messages = new Set(messageIds);
  let pins = pinCount;
  for (const chat of given) {
    const isKnown = chats.has(chat.id);
    const hasRoom = isKnown || chatCount + plan.chats.length < MAX_ARCHIVES;
    if (isKnown) present.chats++;
    else if (hasRoom) {
      chats.add(chat.id);
      const pinnedAt = chat.pinned_at && pins < MAX_PINS ? timeOf(chat.pinned_at) : null;
      if (pinnedAt) pins++;
      plan.chats.push({ id: chat.id, title: chat.title, createdAt: timeOf(chat.created_at), pinnedAt });
      added.chats++;
    } else left_out.chats++;
    for (const message of chat.messages) {
      if (messages.has(message.id)) present.messages++;
      else if (!hasRoom || !isAnswered(message) || messageCount + plan.messages.length >= MAX_MESSAGES_TO_IMPORT) left_out.messages++;
      else {
        messages.add(message.id);
        const position = (positions.get(chat.id) ?? 0) + 1;
        positions.set(chat.id, position);
        plan.messages.push({ ...rowOf(message, timeOf, imageIds), archiveId: chat.id, position });
        added.messages++;
      }
    }
  }
  return plan;
}

function rowOf(
  message: ImportedMessage,
  timeOf: (text: string) => Date,
  imageIds: ReadonlySet<string>,
): Omit<NewMessage, 'archiveId' | 'position'> {
  const createdAt = timeOf(message.created_at);
  return {
    id: message.id,
    userMessage: message.user_message,
    aiResponse: message.ai_response,
    failed: message.failed,
    stopped: message.stopped,
    rating: message.rating,
    imageId: message.picture !== null && imageIds.has(message.picture) ? message.picture : null,
    figures: storableJson(readFigures(message.figures)),
    marks: storableJson(z.safeParse(chartMarks, message.marks).data ?? null),
    coins: z.safeParse(coins, message.coins).data ?? [],
    choices: z.safeParse(choices, message.choices).data ?? [],
    createdAt,
    answeredAt: message.answered_at === null ? createdAt : timeOf(message.answered_at),
  };
}
