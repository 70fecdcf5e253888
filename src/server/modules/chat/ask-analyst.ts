import type { Db } from '#server/db/open.ts';
import type { Analyst } from '#server/ports/analyst/analyst.ts';
import { attempt } from './attempt.ts';
import type { Images } from './images.ts';
import { storable } from './storable.ts';
import { historyOf, type MessageRow, type StoredAnswer } from './store.ts';

const HISTORY = 20;
/** Characters: far beyond any answer worth reading. */
const LONGEST = 100_000;
const COINS = 10;

export interface Answered extends StoredAnswer {
  /** What becomes of the question's reserved allowance; `free-picture` costs nothing a few times a day. */
  cost: 'spent' | 'free' | 'free-picture';
  title: string;
}

interface Parts {
  db: Db;
  analyst: Analyst;
  images: Pick<Images, 'read'>;
  /** ms. */
  timeout: number;
  /** Aborted when the answer is not wanted any more. */
  dropped: AbortSignal;
}

/** One try at an answer. Rejects when the analyst has none, is too late, or is not to go on. */
export async function askAnalyst({ db, analyst, images, timeout, dropped }: Parts, message: MessageRow): Promise<Answered> {
  const history = await historyOf(db, message, HISTORY);
  const picture = message.imageId === null ? undefined : await images.read(message.userId, message.imageId);
  if (message.imageId !== null && !picture) throw new Error('The picture of a question is gone');
  const reply = await attempt(timeout, dropped, (signal) => analyst.answer(message.userMessage, { history, picture, signal }));
  const text = cut(storable(reply.text).trim());
  if (!text) throw new Error('The analyst answered nothing');
  return {
    text,
    failed: false,
    cost: !reply.free ? 'spent' : picture ? 'free-picture' : 'free',
    marks: reply.marks ?? null,
    coins: [...new Set(reply.coins)].slice(0, COINS),
    title: storable(analyst.title(message.userMessage)),
  };
}

/** Never between the halves of a character. */
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : text);
