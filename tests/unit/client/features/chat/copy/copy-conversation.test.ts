import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { conversationMarkdown } from '#client/features/chat/copy/conversation-markdown.ts';
import { copyConversation } from '#client/features/chat/copy/copy-conversation.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { toasts } from '#client/platform/toast.ts';
import type { Message } from '#contract/chat/chat.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';

let user = 0;
let userId: string;
let rows: Message[];
let isAway: boolean;
let copied: string[];
const archive = { id: ARCHIVE, archive_title: 'Staking', created_at: '2026-01-01T00:00:00.000Z' };
const row = (position: number, more: Partial<Message> = {}) => chatRow({ id: `m${position}`, position, ...more });
const shown = () => toasts.get().at(-1)?.message;

class Item {
  constructor(readonly texts: Record<string, Promise<Blob>>) {}
}

beforeEach(async () => {
  user += 1;
  userId = `copy-${user}`;
  rows = Array.from({ length: 150 }, (_, index) => row(index + 1));
  isAway = false;
  copied = [];
  vi.stubGlobal('fetch', async (input: string) => {
    if (isAway) throw new TypeError('Failed to fetch');
    const { searchParams } = new URL(input, location.origin);
    const before = Number(searchParams.get('before') ?? 1e9);
    const data = rows.filter(({ position }) => position < before).slice(-Number(searchParams.get('limit')));
    return Response.json({ status: 200, data, total: rows.length });
  });
  vi.stubGlobal('ClipboardItem', Item);
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: { write: async ([item]: Item[]) => void copied.push(await ((await item?.texts['text/plain'])?.text() ?? '')) },
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  toasts.set([]);
  await endSession();
  vi.unstubAllGlobals();
});

describe('a copied conversation', () => {
  it('is whole, also where the device has none of it', async () => {
    await copyConversation(userDb(userId), archive);
    expect(copied[0]).toMatch(
      /^# Staking\n\n\*\*You\*\* · Jan 1, 2026, 12:00\sAM UTC\n\n> Question m1\n\n\*\*Tidemark\*\*\n\nAnswer m1\n\n/,
    );
    expect(copied[0]?.match(/^> Question/gm)).toHaveLength(150);
    expect(shown()).toBe('Copied');
  });

  it('is what the device has while the server cannot be reached', async () => {
    isAway = true;
    await userDb(userId).messages.bulkPut(rows.slice(140));
    await copyConversation(userDb(userId), archive);
    expect(copied[0]).toContain('# Staking\n\n*Earlier messages are left out.*\n\n');
    expect(copied[0]?.match(/^> Question/gm)).toHaveLength(10);
    expect(shown()).toBe('Copied what is on this device');
  });

  it('goes to the clipboard as text where it takes no promise', async () => {
    vi.stubGlobal('ClipboardItem', undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => void copied.push(text) } });
    await copyConversation(userDb(userId), archive);
    expect(copied[0]).toContain('> Question m150');
  });

  it('says why it was not copied', async () => {
    vi.stubGlobal('navigator', { ...navigator, clipboard: undefined });
    await copyConversation(userDb(userId), archive);
    expect(shown()).toMatch(/^Your browser blocked copying/);

    isAway = true;
    await copyConversation(userDb(userId), { ...archive, id: '22222222-2222-4222-8222-222222222222' });
    expect(shown()).toBe('This chat is not on your device yet.');
  });
});

describe('the Markdown', () => {
  it('quotes questions, and says what has no answer', () => {
    const text = conversationMarkdown('', [
      row(1, { user_message: '# not a title\n\n<img src=x>', chat_image: '/chat/images/1', ai_response: 'A.\n' }),
      { ...unanswered({ id: 'm2', position: 2 }), device_answer: { text: 'Own.', asOf: Date.parse('2026-05-13T09:30:00Z') } },
      unanswered({ id: 'm3', position: 3 }),
      { ...row(4, { ai_response: '', stopped: true }), missingBefore: 2 },
    ]);
    expect(text).toMatch(/^# New Chat\n\n/);
    expect(text).toContain('> [Picture]\n> # not a title\n>\n> <img src=x>\n\n**Tidemark**\n\nA.\n\n');
    expect(text).toMatch(/\*From this device, figures of May 13, 2026, 9:30\sAM UTC\*\n\nOwn\.\n\n/);
    expect(text).toContain('*Not answered yet.*\n\n*Messages are missing here.*\n\n');
    expect(text).toMatch(/\*Stopped\.\*\n\n$/);
  });

  it('has the last messages of a conversation that is too long', () => {
    const text = conversationMarkdown(
      'Long',
      Array.from({ length: 30 }, (_, at) => row(at + 1, { ai_response: 'x'.repeat(90_000) })),
    );
    expect(text.length).toBeLessThan(1_010_000);
    expect(text).toContain('> Question m30');
    expect(text).toContain('*Earlier messages are left out.*');
    expect(conversationMarkdown('One', [row(1, { ai_response: 'x'.repeat(2_000_000) })]).length).toBeGreaterThan(2_000_000);
  });
});
