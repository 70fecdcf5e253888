import { call } from '#client/platform/api/call.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { loadArchiveAnswer } from '../conversation/answer-schemas.ts';

/**
 * Begins a new chat with what one says up to an answer. The same `id` makes one chat, however often it is asked for. Throws like `call`.
 */
export async function continueChat({ archive_id, id: chat_id }: { archive_id: string; id: string }, id: string): Promise<Archive> {
  const path = `/archive/${encodeURIComponent(archive_id)}/continue`;
  return (await call(path, { method: 'POST', body: { id, chat_id }, answer: loadArchiveAnswer })).data;
}
