import type { BrowserContext, Route } from '@playwright/test';
import type { Archive } from '#contract/chat/archive.ts';
import type { Message } from '#contract/chat/chat.ts';

/** Answers a page's requests for conversations and messages in place of the server. */
export async function listChats(context: BrowserContext, archives: readonly Archive[], chats: readonly Message[]): Promise<void> {
  const answer = (route: Route, data: unknown) => route.fulfill({ json: { status: 200, data } });
  await context.route(/\/api\/user\/[^/]+\/archives\//, (route) => {
    const text = decodeURIComponent(new URL(route.request().url()).pathname.split('/archives/')[1] ?? '');
    return answer(
      route,
      archives.filter(({ archive_title }) => archive_title.includes(text)),
    );
  });
  await context.route(/\/api\/archive\/[^/]+\/chats/, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const before = Number(searchParams.get('before') ?? Number.POSITIVE_INFINITY);
    const earlier = chats.filter(({ archive_id, position }) => archive_id === pathname.split('/')[3] && position < before);
    return answer(route, earlier.slice(-Number(searchParams.get('limit') ?? 0)));
  });
}
