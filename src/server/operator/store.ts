import { asc, gte, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { chats } from '../db/schema/chat.ts';
import { contactMessages } from '../db/schema/contacts.ts';
import { sessions } from '../db/schema/sessions.ts';
import { registrations, users } from '../db/schema/users.ts';

/** Returns all users, oldest first, without credentials. */
export const findUsers = (db: Db) =>
  db
    .select({
      id: users.id,
      email: users.email,
      first_name: users.firstName,
      last_name: users.lastName,
      country: users.country,
      verified_at: users.verifiedAt,
      created_at: users.createdAt,
    })
    .from(users)
    .orderBy(asc(users.createdAt));

/** Returns counts for `metrics`. `today` is the start of the day. */
export async function count(db: Db, today: Date) {
  return {
    users: await db.$count(users),
    verified_users: await db.$count(users, isNotNull(users.verifiedAt)),
    pending_registrations: await db.$count(registrations),
    sessions: await db.$count(sessions, isNull(sessions.revokedAt)),
    questions_today: await db.$count(chats, gte(chats.createdAt, today)),
    unanswered_messages: await db.$count(contactMessages, isNull(contactMessages.reply)),
  };
}
