import type { Db } from '#server/db/open.ts';
import type { OwnedId } from '#server/db/owned-rows.ts';
import type { AnsweringParts } from './answer-question.ts';
import { createAnswering } from './answering.ts';
import { askQuestion } from './ask-question.ts';
import { deleteConversation, rateMessage, stopMessage } from './change-messages.ts';
import type { Images } from './images.ts';
import { readConversation, readMessage, readResponses } from './read-messages.ts';

const ANSWER_TIMEOUT = 60_000;

interface Parts extends Omit<AnsweringParts, 'timeout' | 'images' | 'picturesAtOnce'> {
  images: Images;
  /** Time limit of one attempt at an answer, ms. */
  answerTimeout?: number;
  /** Questions with a picture that this process answers at a time. */
  picturesAtOnce?: number;
}

export type Conversations = ReturnType<typeof createConversations>;

/** Stores questions and answers each exactly once, whether or not the user stays connected. */
export function createConversations({ answerTimeout = ANSWER_TIMEOUT, picturesAtOnce = 1, ...parts }: Parts) {
  const { db, archives } = parts;
  const answering = createAnswering({ ...parts, timeout: answerTimeout, picturesAtOnce });
  const changing = { ...parts, answering };

  return {
    ask: askQuestion.bind(null, changing),
    list: readConversation.bind(null, { db, archives }),
    read: (userId: string, id: string, at: Db = db) => readMessage(at, userId, id),
    readResponses: (rows: readonly OwnedId[]) => readResponses(db, rows),
    stop: stopMessage.bind(null, changing),
    rate: rateMessage,
    remove: deleteConversation.bind(null, changing),
    start: answering.start,
    checkClaim: answering.checkClaim,
    stopStarting: answering.stopStarting,
    close: answering.close,
  };
}
