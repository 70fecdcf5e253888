import type { UserDb } from '#client/platform/db/user-db.ts';
import { readFigures } from '#contract/chat/answer-figures.ts';
import { tellsOfAccount } from '#domain/analyst/answers/tells-of-account.ts';
import { type LocalMessage, readMessages } from '../conversation/conversation.ts';
import { formatMoment } from '../figure/format-figure.ts';
import { sourceLines } from '../figure/source-lines.ts';
import type { Exchange } from './lay-out.ts';

/** Questions to choose from: the last ones. */
const OFFERED = 30;

export interface Offered extends Exchange {
  id: string;
}

/** Returns the answered questions of a chat that the device has, oldest first, and how many are about the user's account and left out. */
export async function readExchanges(db: UserDb, archiveId: string): Promise<{ exchanges: Offered[]; leftOut: number }> {
  const answered = (await readMessages(db, archiveId)).map(exchangeOf).filter((exchange) => exchange !== undefined);
  const shown = answered.filter(({ isOwn }) => !isOwn);
  return { exchanges: shown.slice(-OFFERED).map(({ exchange }) => exchange), leftOut: answered.length - shown.length };
}

/** The server's answer comes first; without one, the device's own. */
function exchangeOf(message: LocalMessage): { exchange: Offered; isOwn: boolean } | undefined {
  const { id, user_message: question, ai_response, failed, device_answer: own, created_at, chat_image } = message;
  const isServers = ai_response !== '' && !failed;
  const answer = isServers
    ? ai_response
    : own
      ? `*From this device, figures of ${formatMoment(new Date(own.asOf).toISOString())}*\n\n${own.text}`
      : '';
  if (answer === '') return undefined;
  const figures = isServers ? message.figures : own?.figures;
  const sources = sourceLines(figures, answer);
  return {
    exchange: { id, question, answer, askedAt: formatMoment(created_at), sources, hasPicture: chat_image !== null },
    isOwn: tellsOfAccount(answer, readFigures(figures)),
  };
}
