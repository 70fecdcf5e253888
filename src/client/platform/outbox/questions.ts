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

/** Whether the server does not have a conversation yet, because its first question is not sent or is refused. */
export const isUnborn = async (db: UserTables, archiveId: string): Promise<boolean> =>
  (await unsentQuestions(db)).some(({ body }) => body.newArchive && body.message.archive_id === archiveId);

/** Returns the questions that the server has not stored or has refused, oldest first. */
export const unsentQuestions = (db: UserTables): Promise<Command<Question>[]> =>
  db.outbox.where('lane').equals(QUESTIONS).toArray() as Promise<Command<Question>[]>;
