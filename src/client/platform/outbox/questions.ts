import type { ChatMessage, Message } from '#contract/chat/chat.ts';
import type { UserDb } from '../db/user-db.ts';
import type { Command } from './command.ts';

/** The lane of chat questions. It belongs to the page: questions travel over its socket, one after another. */
export const QUESTIONS = 'chat';

/** The body of its commands. The command of a new question carries that question's id. */
export interface Question {
  message: ChatMessage;
  /** The conversation began with a question that the server has not seen yet: it has to be created first. */
  newArchive: boolean;
  /** The message as it was before this edit, to go back to. */
  replaced?: Message;
}

/** The message that a command asks or edits. */
export const rowIdOf = ({ id, body: { message } }: Command<Question>): string => message.chat_id || id;

/** Questions the server has yet to store or has refused, oldest first. */
export const unsentQuestions = (db: UserDb): Promise<Command<Question>[]> =>
  db.outbox.where('lane').equals(QUESTIONS).toArray() as Promise<Command<Question>[]>;
