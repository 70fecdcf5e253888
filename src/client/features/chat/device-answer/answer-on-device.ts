import { transact } from '#client/platform/db/transact.ts';
import type { CoinListRow, UserDb } from '#client/platform/db/user-db.ts';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import type { CryptoItem } from '#contract/market/market.ts';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { findCoins } from '#domain/analyst/coins/finder.ts';
import type { Figures } from '#domain/analyst/figures.ts';
import { DEFAULT_CHOICE, listKey } from '#domain/market/list-address.ts';
import { renewPreview } from '../conversation/message-rows.ts';
import { deviceFigures, namesOn } from './device-figures.ts';
import { deviceOwn } from './device-own.ts';

export interface DeviceQuestion {
  id: string;
  text: string;
  /** The conversation's earlier questions, oldest first. */
  earlier: readonly string[];
}

/** Coins' names that were read and indexed ahead of a question, and the database that has them. */
let ahead: { db: UserDb; names: Promise<CryptoItem[]> } | undefined;

/**
 * Makes the first answer quick: reads and indexes the coins' names, and has the rules answer once. Returns a function that forgets the
 * names: call it when they may change.
 */
export function prepareAnswers(db: UserDb): () => void {
  const prepared = { db, names: namesOn(db) };
  const forget = () => {
    if (ahead === prepared) ahead = undefined;
  };
  ahead = prepared;
  prepared.names.catch(forget);
  const answer = async () => {
    const list = await db.coinLists.get(listKey(DEFAULT_CHOICE));
    if (list) await answerQuestion(TRIAL, [], figuresOn(db, list));
  };
  // The question itself reads what could not be read.
  void answer().catch(() => undefined);
  return forget;
}

/** A question that most of the rules look at. */
const TRIAL = 'How is Bitcoin?';

function figuresOn(db: UserDb, list: CoinListRow): Figures {
  const figures = deviceFigures(db, list);
  const names = ahead?.db === db ? ahead.names : undefined;
  return names ? { ...figures, names: () => names.catch(figures.names) } : figures;
}

/**
 * Answers a question by the analyst's rules from the figures on this device, and stores the answer with the message. Stores
 * nothing where the device knows too little for it.
 */
export async function answerOnDevice(db: UserDb, { id, text, earlier }: DeviceQuestion): Promise<void> {
  const list = await db.coinLists.get(listKey(DEFAULT_CHOICE));
  if (!list) return;
  const answer = await answerQuestion(text, earlier, figuresOn(db, list), deviceOwn(db));
  if (answer.isPartial) return;
  await transact(db, [db.archives, db.messages], async (db) => {
    const row = await db.messages.get(id);
    // The question may have been answered, edited or discarded meanwhile.
    if (row?.user_message !== text || row.ai_response) return;
    const { text: said, asOf, choices, action, figures } = answer;
    await db.messages.update(id, { device_answer: { text: said, asOf, choices, figures, ...(action && { action }) } });
    await renewPreview(db, row.archive_id, [id]);
  });
}

/** Returns the coin that a text names; undefined if it names none or several. Reads the coins on this device. */
export async function coinNamedIn(db: UserDb, text: string): Promise<AlertCoin | undefined> {
  const { mentions } = findCoins(text, await namesOn(db));
  const [id, ...others] = new Set(mentions.map(({ coin }) => coin.id));
  const coin = others.length === 0 && id !== undefined ? await db.coins.get(id) : undefined;
  return coin && { id: coin.id, name: coin.name, symbol: coin.symbol };
}
