import type { Own } from '#domain/analyst/own.ts';
import { titleInOwnWords } from '#domain/analyst/title.ts';
import type { Db } from '#server/db/open.ts';
import type { Analyst } from '#server/ports/analyst/analyst.ts';
import { withDeadline } from '#server/with-deadline.ts';
import type { Images } from './images.ts';
import { storableJson, stripNul } from './storable.ts';
import { historyOf, type MessageRow, type StoredAnswer } from './store.ts';

const HISTORY = 20;
/** Maximum number of characters of an answer. */
const MAX_ANSWER_LENGTH = 100_000;
const COINS = 10;

export interface Answered extends StoredAnswer {
  /** How the question's reserved allowance is settled. `free-picture` is free a few times a day. */
  cost: 'spent' | 'free' | 'free-picture';
  title: string;
}

interface Parts {
  db: Db;
  analyst: Analyst;
  images: Pick<Images, 'read'>;
  /** Returns what the analyst may know of a user. */
  ownOf: (userId: string) => Own;
  /** ms. */
  timeout: number;
  /** Aborts when the answer is no longer needed. */
  dropped: AbortSignal;
}

/** Asks the analyst once. Rejects if it fails, times out, or `dropped` aborts. */
export async function askAnalyst({ db, analyst, images, ownOf, timeout, dropped }: Parts, message: MessageRow): Promise<Answered> {
  const history = await historyOf(db, message, HISTORY);
  const { userId, imageId } = message;
  // Storage may hang, as a network file system does.
  const picture = imageId === null ? undefined : await withDeadline(timeout, dropped, () => images.read(userId, imageId));
  if (imageId !== null && !picture) throw new Error('The picture of a question is gone');
  const own = ownOf(userId);
  const reply = await withDeadline(timeout, dropped, (signal) =>
    analyst.answer(message.userMessage, { userId, history, picture, own, signal }),
  );
  const text = cut(stripNul(reply.text).trim());
  if (!text) throw new Error('The analyst answered nothing');
  return {
    text,
    failed: false,
    cost: !reply.free ? 'spent' : picture ? 'free-picture' : 'free',
    marks: storableJson(reply.marks),
    figures: text.startsWith(reply.text) ? storableJson(reply.figures) : null, // their places count in the analyst's own text
    coins: [...new Set(reply.coins)].slice(0, COINS),
    choices: (reply.choices ?? []).map(stripNul),
    action: storableJson(reply.action),
    // The analyst takes "the levels" for bitcoin's, but a picture may show any coin.
    title: stripNul(picture ? titleInOwnWords(message.userMessage) : analyst.title(message.userMessage)),
  };
}

/** Cuts a long text, but never inside a surrogate pair. */
const cut = (text: string): string =>
  text.length > MAX_ANSWER_LENGTH ? `${text.slice(0, MAX_ANSWER_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : text;
