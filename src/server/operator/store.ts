import { and, asc, gte, isNotNull, isNull, or } from 'drizzle-orm';
import { countRows } from '../db/count-rows.ts';
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

/** Returns counts for `metrics`; above 100,000 they are estimates. `today` is the start of the day. */
export async function count(db: Db, today: Date) {
  // Reads the index of `answeredAt`, because a question of today is not answered before today.
  const unansweredOrToday = or(isNull(chats.answeredAt), gte(chats.answeredAt, today));
  return {
    users: await countRows(db, users),
    verified_users: await countRows(db, users, isNotNull(users.verifiedAt)),
    pending_registrations: await countRows(db, registrations),
    sessions: await countRows(db, sessions, isNull(sessions.revokedAt)),
    questions_today: await countRows(db, chats, and(gte(chats.createdAt, today), unansweredOrToday)),
    unanswered_messages: await countRows(db, contactMessages, isNull(contactMessages.reply)),
  };
}
