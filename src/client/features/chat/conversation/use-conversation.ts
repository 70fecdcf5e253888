import { useEffect, useMemo, useRef, useState } from 'react';
import { isMissing } from '#client/platform/api/errors.ts';
import type { Ahead } from '#client/platform/cache/read-ahead.ts';
import { useLive, useUserLive } from '#client/platform/cache/use-live.ts';
import { type Read, type ResourceState, resourceAhead, useResource } from '#client/platform/cache/use-resource.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { UUID } from '#contract/chat/archive-limits.ts';
import { prepareAnswers } from '../answer/shown-markdown.ts';
import { keepOpen } from '../ask/receive-answers.ts';
import { conversation, type LocalMessage, PAGE, readMessages } from './conversation.ts';
import { completeConversation, hasAll, pullBefore } from './conversation-pages.ts';

export interface Conversation extends ResourceState<LocalMessage[]> {
  /** Its row of the archive: null for one that the device does not know, undefined while it loads. */
  archive: Archive | null | undefined;
  /** The conversation exists neither on the device nor on the server. */
  unknown: boolean;
  /** There are messages before `data`. */
  hasEarlier: boolean;
  /** `loadEarlier` is in progress. */
  isLoadingEarlier: boolean;
  /** Error of the last `loadEarlier`. */
  earlierError: unknown;
  /** Adds up to `PAGE` earlier messages to `data`, from the device or the server. Never rejects. */
  loadEarlier: () => Promise<void>;
}

/** Key and query of a conversation's row of the archive. */
const rowOf = (id: string | undefined) =>
  [`archive/${id}`, async (db: UserDb) => (id !== undefined && (await db.archives.get(id))) || null] as const;

/** Returns the queries of `useConversation`, for the first render of a page. */
export function conversationAhead(userId: string, archiveId: string): Ahead[] {
  const [key, query] = rowOf(archiveId);
  const prepare = ({ data }: Read<LocalMessage[]>) => prepareAnswers(data ?? []);
  return [
    { ...resourceAhead(conversation, { userId, archiveId }), prepare },
    { key, query },
  ];
}

/** Returns a conversation with its row of the archive, its last messages, and earlier ones on request. */
export function useConversation(archiveId: string | undefined): Conversation {
  const userId = useClaims().sub;
  const db = userDb(userId);
  const valid = archiveId === undefined || UUID.test(archiveId);
  const id = valid ? archiveId : undefined;

  const latest = useResource(conversation, id === undefined ? null : { userId, archiveId: id });
  const earlier = useEarlier(db, id, latest.data);
  const row = useUserLive(...rowOf(id));
  useEffect(() => (id === undefined ? undefined : keepOpen(id)), [id]);
  useCompletion(db, id, latest.origin === 'network');

  const isRefused = useRefused(latest);
  return {
    ...latest,
    ...earlier,
    archive: id === undefined ? null : row,
    unknown: !valid || (isRefused && !latest.data?.some(({ unsent }) => unsent)),
  };
}

/** Returns whether the server did not have the conversation, and has not sent it since: another device may have created it only then. */
function useRefused({ error, savedAt = 0 }: ResourceState<LocalMessage[]>): boolean {
  const refusedAt = useMemo(() => (isMissing(error) ? Date.now() : undefined), [error]);
  return refusedAt !== undefined && savedAt <= refusedAt;
}

interface Asked {
  archiveId: string;
  /** First position of `data`; undefined shows the last messages only. */
  from?: number;
  loading?: boolean;
  error?: unknown;
}

/** Returns the messages as far back as the user has scrolled. */
function useEarlier(db: UserDb, archiveId: string | undefined, latest: LocalMessage[] | undefined) {
  const [state, setState] = useState<Asked>();
  const asked = state && state.archiveId === archiveId ? state : undefined;
  const from = asked?.from;
  const key = archiveId !== undefined && from !== undefined ? `${db.name}/messages/${archiveId}/${from}` : null;
  const longer = useLive(key, () => readMessages(db, archiveId ?? '', from));
  // Keep the shorter list while the longer one loads.
  const shown = useRef<{ archiveId: string | undefined; messages: LocalMessage[] | undefined }>(undefined);
  if (longer) shown.current = { archiveId, messages: longer };
  const kept = shown.current?.archiveId === archiveId ? shown.current?.messages : undefined;
  const data = useSame(from === undefined ? latest : (longer ?? kept ?? latest));
  const first = data?.find(({ unsent }) => unsent?.body.message.chat_id !== 0)?.position ?? 1;

  // They load until they are in `data`: an observer made before would ask for the page before them as well.
  const isLoadingEarlier = asked?.loading ?? (key !== null && longer === undefined);

  async function loadEarlier() {
    if (archiveId === undefined || isLoadingEarlier || first <= 1) return;
    const next = Math.max(1, first - PAGE);
    const keep = { archiveId, ...(from !== undefined && { from }) };
    setState({ ...keep, loading: true });
    try {
      if (!(await hasAll(db, archiveId, next, first))) await pullBefore(db, archiveId, first);
      setState({ archiveId, from: next });
    } catch (error) {
      setState({ ...keep, error });
    }
  }

  return { data, hasEarlier: first > 1, isLoadingEarlier, earlierError: asked?.error, loadEarlier };
}

/** Keeps the identity of an unchanged list and of unchanged messages, to avoid rendering them again. */
function useSame(messages: LocalMessage[] | undefined): LocalMessage[] | undefined {
  const last = useRef<{ list: LocalMessage[]; byId: Map<string, { message: LocalMessage; text: string }> }>(undefined);
  if (!messages) return undefined;
  if (last.current?.list === messages) return messages;
  const before = last.current;
  const byId = new Map(
    messages.map((message) => {
      const text = JSON.stringify(message);
      const known = before?.byId.get(message.id);
      return [message.id, known?.text === text ? known : { message, text }] as const;
    }),
  );
  const list = [...byId.values()].map(({ message }) => message);
  const same = before?.list.length === list.length && list.every((message, index) => before.list[index] === message);
  if (!same || !before) last.current = { list, byId };
  return last.current?.list;
}

/** Downloads the rest of an open conversation while the browser is idle. */
function useCompletion(db: UserDb, archiveId: string | undefined, current: boolean) {
  const reachable = useReachable();
  useEffect(() => {
    if (archiveId === undefined || !current || !reachable) return;
    const ended = new AbortController();
    // The next connection retries.
    completeConversation(db, archiveId, { idle, signal: ended.signal }).catch(() => undefined);
    return () => ended.abort();
  }, [db, archiveId, current, reachable]);
}

/** Resolves when the browser is idle. Safari has no requestIdleCallback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 5_000 });
    else setTimeout(resolve, 500);
  });
