import type { ChatMessage, Message } from '#contract/chat/chat.ts';
import type { UserTables } from '../db/user-db.ts';
import type { Command } from './command.ts';

/** The lane of chat questions. The page sends them, one by one, over its socket. */
export const QUESTIONS = 'chat';

/** The body of its commands. The command of a new question carries that question's id. */
export interface Question {
  message: ChatMessage;
  /** Whether the server must create the conversation first. */
  newArchive: boolean;
  /** The message before this edit, for an undo. */
  replaced?: Message;
}

/** Returns the id of the message that a command sends or edits. */
export const rowIdOf = ({ id, body: { message } }: Command<Question>): string => message.chat_id || id;

/** Returns the questions that the server has not stored or has refused, oldest first. */
export const unsentQuestions = (db: UserTables): Promise<Command<Question>[]> =>
  db.outbox.where('lane').equals(QUESTIONS).toArray() as Promise<Command<Question>[]>;
