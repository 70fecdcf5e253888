import type { UserDb } from '#client/platform/db/user-db.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { fold } from '#domain/text.ts';

/** Finds conversations on this device by title, question or answer, with the rules of the server's search. */
export async function searchArchives(db: UserDb, text: string): Promise<Archive[]> {
  const needle = fold(text.trim());
  const said = new Set<string>();
  await db.messages.each(({ archive_id, user_message, ai_response }) => {
    if (!said.has(archive_id) && fold(`${user_message}\n${ai_response}`).includes(needle)) said.add(archive_id);
  });
  const all = await db.archives.orderBy('created_at').reverse().toArray();
  return all.filter(({ id, archive_title }) => said.has(id) || fold(archive_title).includes(needle));
}
