import { type AnswerFigures, readFigures } from '#contract/chat/answer-figures.ts';
import { MAX_LINK_MESSAGES, MAX_LINK_SIZE } from '#contract/chat/chat-links.ts';
import { tellsOfAccount } from '#domain/analyst/answers/tells-of-account.ts';

/** An answered question of a chat. */
export interface AnsweredRow {
  position: number;
  userMessage: string;
  aiResponse: string;
  figures: unknown;
  imageId: string | null;
  createdAt: Date;
}

/** A question and its answer in a link. It has no id of the user's rows but the picture's, which stays on the server. */
export interface CopiedMessage {
  question: string;
  answer: string;
  asked_at: string;
  figures: AnswerFigures | null;
  image: string | null;
}

export interface ChatCopy {
  messages: CopiedMessage[];
  /** Position of the last answered question; 0 if there is none. */
  last: number;
  leftOut: number;
  hasEarlier: boolean;
}

/** Copies a chat for a link. `rows`: its last answered questions, newest first, one more than a link shows if there are more. */
export function copyChat(rows: readonly AnsweredRow[], withPictures: boolean): ChatCopy {
  const messages: CopiedMessage[] = [];
  let [leftOut, size] = [0, 0];
  let hasEarlier = rows.length > MAX_LINK_MESSAGES;
  for (const { userMessage, aiResponse, imageId, createdAt, ...row } of rows.slice(0, MAX_LINK_MESSAGES)) {
    const figures = readFigures(row.figures);
    if (tellsOfAccount(aiResponse, figures)) {
      leftOut++;
      continue;
    }
    const message: CopiedMessage = {
      question: userMessage,
      answer: aiResponse,
      asked_at: createdAt.toISOString(),
      figures: figures && { ...figures, list: figures.list.map(({ now: _, ...figure }) => figure) },
      image: withPictures ? imageId : null,
    };
    size += JSON.stringify(message).length;
    if (size > MAX_LINK_SIZE) {
      hasEarlier = true;
      break;
    }
    messages.unshift(message);
  }
  return { messages, last: rows[0]?.position ?? 0, leftOut, hasEarlier };
}
