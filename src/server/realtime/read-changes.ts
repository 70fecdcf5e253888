import { type OwnedId, ownedKey } from '../db/owned-rows.ts';
import type { Change } from '../fan-out/fan-out.ts';
import type { Archives } from '../modules/archives/service.ts';
import type { Conversations } from '../modules/chat/service.ts';
import type { Notifications } from '../modules/notifications/service.ts';
import { type Send, sendNotification, sendResponse, sendTitle } from './send-events.ts';

interface Sources {
  conversations: Pick<Conversations, 'readResponses'>;
  archives: Pick<Archives, 'readTitles'>;
  notifications: Pick<Notifications, 'read'>;
}

/** Reads the events of changes that other processes made, in a query for each kind. What is gone by now has none. */
export async function readChanges(
  { conversations, archives, notifications }: Sources,
  changes: readonly Change[],
): Promise<Map<Change, Send>> {
  const sends = new Map<Change, Send>();

  async function read<T>(kind: Change['kind'], find: (rows: readonly OwnedId[]) => Promise<Map<string, T>>, send: (event: T) => Send) {
    const ofKind = changes.filter((change) => change.kind === kind);
    if (ofKind.length === 0) return;
    const found = await find(ofKind);
    for (const change of ofKind) {
      const event = found.get(ownedKey(change));
      if (event) sends.set(change, send(event));
    }
  }

  await Promise.all([
    read('answer', conversations.readResponses, sendResponse),
    read('title', archives.readTitles, sendTitle),
    read('notification', notifications.read, sendNotification),
  ]);
  return sends;
}
