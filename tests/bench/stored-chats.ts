import type { Archive } from '#contract/chat/archive.ts';
import type { Message } from '#contract/chat/chat.ts';
import { chatRow } from '#tests/support/chat/chat-rows.ts';

/** Returns the answered questions of a conversation. */
export const chatOf = (archiveId: string, size: number): Message[] =>
  Array.from({ length: size }, (_, at) =>
    chatRow({
      id: `${archiveId}-${at}`,
      archive_id: archiveId,
      position: at + 1,
      user_message: `Question ${at + 1} about the price of Bitcoin`,
      ai_response: `**Bitcoin** is at $${at}.\n\n| Coin | Price |\n|---|--:|\n| Bitcoin | $${at} |\n\n- up 1% in a day\n- down 2% in a week`,
    }),
  );

/** Stores conversations on the device. Runs in a page without the app, as text: it may use nothing from outside. */
export async function fillDevice({ archives, chats }: { archives: Archive[]; chats: Message[] }): Promise<void> {
  const name = (await indexedDB.databases()).map((database) => database.name ?? '').find((each) => each.startsWith('tidemark-user-'));
  if (!name) throw new Error('no user is signed in');
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  await new Promise<void>((resolve, reject) => {
    const change = database.transaction(['archives', 'messages', 'stamps'], 'readwrite');
    for (const archive of archives) {
      change.objectStore('archives').put(archive);
      change.objectStore('stamps').put({ key: `chats/${archive.id}`, savedAt: Date.now() });
    }
    for (const chat of chats) change.objectStore('messages').put(chat);
    change.oncomplete = () => resolve();
    change.onerror = () => reject(change.error);
  });
  database.close();
}
