import { useEffect } from 'react';
import { uuid } from '../../../contract/archive';
import { ApiError } from '../../platform/api/errors';
import { useLive } from '../../platform/cache/use-live';
import { type ResourceState, useResource } from '../../platform/cache/use-resource';
import { userDb } from '../../platform/db/user-db';
import { useClaims } from '../../platform/session/use-session';
import { conversation, type Message } from './conversation';
import { keepOpen } from './receive-answers';

export interface Conversation extends ResourceState<Message[]> {
  /** As the archive lists it; undefined until the device has been read. */
  title: string | undefined;
  /** No such conversation, here or on the server. */
  unknown: boolean;
}

/** One conversation with its title; undefined for one that has not begun. */
export function useConversation(archiveId: string | undefined): Conversation {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const valid = archiveId === undefined || uuid.safeParse(archiveId).success;
  const id = valid ? archiveId : undefined;

  const messages = useResource(conversation, id === undefined ? null : { userId, archiveId: id });
  const title = useLive(`${db.name}/title/${id}`, async () => (id && (await db.archives.get(id))?.archive_title) || '');
  useEffect(() => (id === undefined ? undefined : keepOpen(id)), [id]);

  const refused = messages.error instanceof ApiError && messages.error.status === 404;
  return { ...messages, title, unknown: !valid || (refused && !messages.data?.some(({ unsent }) => unsent)) };
}
