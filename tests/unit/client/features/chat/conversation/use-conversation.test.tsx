import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { conversation, PAGE } from '#client/features/chat/conversation/conversation.ts';
import { useConversation } from '#client/features/chat/conversation/use-conversation.ts';
import { load } from '#client/platform/cache/resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';

const OTHER = '6f1c2a52-95d5-4d0c-8a6f-0c6f6f0e4b12';
const rows = Array.from({ length: 3 * PAGE }, (_, index) => chatRow({ id: `m${index + 1}`, position: index + 1 }));

beforeEach(async () => {
  vi.stubGlobal('fetch', async (input: string) => {
    const { searchParams } = new URL(input, location.origin);
    const before = Number(searchParams.get('before') ?? 1e9);
    const data = rows.filter(({ position }) => position < before).slice(-Number(searchParams.get('limit')));
    return Response.json({ status: 200, data, total: rows.length });
  });
  await signIn(makeTokens({ sub: 'goes-back' }), true);
});

afterEach(async () => {
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

it('loads one page at a time, until its messages are there', async () => {
  const shown: { count: number | undefined; isLoading: boolean }[] = [];
  const { result } = renderHook(() => {
    const conversation = useConversation(ARCHIVE);
    shown.push({ count: conversation.data?.length, isLoading: conversation.isLoadingEarlier });
    return conversation;
  });
  await waitFor(() => expect(result.current.data).toHaveLength(PAGE));
  await act(() => result.current.loadEarlier());
  await waitFor(() => expect(result.current.data).toHaveLength(2 * PAGE));
  expect(result.current).toMatchObject({ isLoadingEarlier: false, hasEarlier: true });

  const from = shown.findIndex(({ isLoading }) => isLoading);
  const until = shown.findIndex(({ count }) => count === 2 * PAGE);
  expect(from).toBeGreaterThan(0);
  expect(shown.slice(from, until).filter(({ isLoading }) => !isLoading)).toEqual([]);
});

it('shows a conversation that the server did not have, once another device has created it', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 404, code: 'not_found', message: 'Not found.' }, { status: 404 }));
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>{children}</SWRConfig>
  );
  const { result } = renderHook(() => useConversation(OTHER), { wrapper });
  await waitFor(() => expect(result.current.unknown).toBe(true));
  const data = [chatRow({ id: 'there', archive_id: OTHER })];
  vi.stubGlobal('fetch', async () => Response.json({ status: 200, data, total: 1 }));
  await act(() => load(userDb('goes-back'), conversation, { userId: 'goes-back', archiveId: OTHER }));
  await waitFor(() => expect(result.current).toMatchObject({ unknown: false, data }));
});
