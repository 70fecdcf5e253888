import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askQuestion } from '#client/features/chat/ask/ask-question.ts';
import type { LocalMessage } from '#client/features/chat/conversation/conversation.ts';
import { Messages } from '#client/features/chat/conversation/messages.tsx';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { onRealUse } from '#client/platform/pwa/real-use.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';
import { quote } from '#tests/support/market/quotes.ts';

const none = () => {};
let still = false;

const list = (messages: LocalMessage[], more: Partial<Parameters<typeof Messages>[0]> = {}) => (
  <Messages messages={messages} current editing={undefined} onRead={none} onAsk={none} {...more} />
);
const later = (ms: number) => act(async () => vi.advanceTimersByTime(ms));
const announced = () => screen.getAllByRole('status').map((region) => region.textContent);

let db: UserDb;
let user = 0;

beforeEach(async () => {
  still = false;
  user += 1;
  await signIn(makeTokens({ sub: `reader-${user}` }), true);
  db = userDb(`reader-${user}`);
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: still }));
});
afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

describe('an answer', () => {
  const waiting = unanswered({ id: 'q' });
  const answered = chatRow({ id: 'q', ai_response: 'It is a **fine** day' });

  it('from an earlier visit shows at once', () => {
    render(list([answered]));
    expect(screen.getByText('fine')).toBeTruthy();
    expect(screen.queryByText('Show all')).toBeNull();
    expect(announced()).toEqual(['']);
  });

  it('that is awaited is typed out, one word every 100 ms', async () => {
    const read = vi.fn();
    const { rerender } = render(list([waiting]));
    rerender(list([answered], { onRead: read }));
    expect(screen.queryByText(/It/)).toBeNull();
    await later(200);
    expect(screen.getByText('It is').textContent).toBe('It is');
    await later(200);
    expect(screen.getByText('fine')).toBeTruthy();
    expect(screen.queryByText(/day/)).toBeNull();
    expect(read).not.toHaveBeenCalled();
    await later(100);
    expect(screen.getByText(/day/)).toBeTruthy();
    expect(screen.queryByText('Show all')).toBeNull();
    expect(read).toHaveBeenCalledOnce();
  });

  it('counts as use of the app if it was awaited and did not fail', () => {
    const userId = `reader-${user}`;
    const tell = vi.fn();
    const stop = onRealUse(userId, tell, Date.now());
    const failed = chatRow({ id: 'f', ai_response: 'No answer', failed: true });
    const { rerender } = render(list([waiting, unanswered({ id: 'f' })]));
    rerender(list([waiting, failed, chatRow({ id: 'old' })]));
    expect(tell).not.toHaveBeenCalled();
    rerender(list([answered, failed]));
    expect(tell).toHaveBeenCalledOnce();
    stop();
  });

  it('is not typed out if it arrived before the conversation was opened', () => {
    const { rerender } = render(list([waiting], { current: false })); // the device's copy
    rerender(list([answered], { current: true }));
    expect(screen.getByText(/day/)).toBeTruthy();
    expect(screen.queryByText('Show all')).toBeNull();
  });

  it('that comes before its question is drawn is typed once', async () => {
    vi.useRealTimers(); // IndexedDB needs real timers
    await askQuestion(db, { userId: `reader-${user}`, archiveId: ARCHIVE, text: 'What day is it?' }, { newId: () => 'asked' });
    const answered = chatRow({ id: 'asked', ai_response: 'It is a **fine** day' });
    vi.useFakeTimers();
    const { unmount } = render(list([answered]));
    expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy();
    unmount();
    render(list([answered]));
    expect(screen.queryByText('Show all')).toBeNull();
  });

  it('shows in full after a tap', async () => {
    const { rerender } = render(list([waiting]));
    rerender(list([answered]));
    await later(100);
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(screen.getByText(/day/)).toBeTruthy();
  });

  it('is not typed out with reduced motion', () => {
    still = true;
    const { rerender } = render(list([waiting]));
    rerender(list([answered]));
    expect(screen.getByText(/day/)).toBeTruthy();
  });

  it('is announced at its start and end, never word by word', async () => {
    const { rerender, container } = render(list([waiting]));
    expect(announced()).toEqual(['Tidemark is answering']);
    rerender(list([answered]));
    await later(300);
    expect(announced()).toEqual(['']);
    await later(300);
    expect(announced()).toEqual(['Answer ready']);
    const live = container.querySelectorAll('[aria-live], [role="status"], [role="log"], [role="alert"]');
    for (const region of live) expect(region.textContent).not.toContain('day');
  });
});

describe('a question that was not sent', () => {
  const command = (state: 'waiting' | 'parked', reason?: string): LocalMessage => ({
    ...unanswered({ id: 'q' }),
    unsent: {
      id: 'q',
      seq: 1,
      lane: 'chat',
      createdAt: 0,
      attempts: 0,
      state,
      ...(reason && { reason }),
      body: {
        newArchive: false,
        message: { client_id: 'q', user_id: 'u', archive_id: ARCHIVE, message: 'Why?', chat_id: 0, chat_image: null },
      },
    },
  });

  it('shows that it waits, and no answer on its way', () => {
    render(list([command('waiting')]));
    expect(screen.getByText('Sending')).toBeTruthy();
    expect(screen.queryByText('Waiting for the answer')).toBeNull();
  });

  it('promises nothing until the device has stored it', () => {
    const { unsent, ...row } = command('waiting');
    const { seq: _, ...unstored } = unsent as NonNullable<typeof unsent>;
    render(list([{ ...row, unsent: unstored }]));
    expect(screen.getByText('Saving')).toBeTruthy();
    expect(screen.queryByText('Sending')).toBeNull();
  });

  it('has its answer typed out, even if it arrives before the question is drawn', async () => {
    const { rerender } = render(list([command('waiting')], { current: false }));
    rerender(list([chatRow({ id: 'q', ai_response: 'Because it is so' })], { current: false }));
    expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy();
    expect(screen.queryByText(/so/)).toBeNull();
    await later(400);
    expect(screen.getByText('Because it is so')).toBeTruthy();
  });

  it('shows why it was refused, and offers both ways out', async () => {
    vi.useRealTimers();
    const { unsent, ...row } = command('parked', 'Too long');
    if (unsent) await db.outbox.add(unsent);
    await db.messages.add(row);
    render(list([command('parked', 'Too long')]));
    expect(screen.getByRole('alert').textContent).toContain('Too long');
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(async () => expect(await db.outbox.toArray()).toMatchObject([{ state: 'waiting' }]));
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(async () => expect(await db.outbox.count()).toBe(0));
    expect(await db.messages.count()).toBe(0);
  });
});

describe('what can be done with an answer', () => {
  beforeEach(() => {
    vi.useRealTimers();
  });
  const answered = chatRow({ id: '33333333-3333-4333-8333-333333333333', archive_id: ARCHIVE, user_message: 'Why?', ai_response: 'So.' });
  const asked = () => db.outbox.where('lane').equals('chat').toArray();
  const askedAgain = {
    body: { message: { chat_id: answered.id, message: 'Why?', archive_id: ARCHIVE, chat_image: null }, newArchive: false },
  };

  it('is to copy it, as it was written', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => written.push(text) } });
    render(list([{ ...answered, ai_response: 'It is **so**.' }]));
    fireEvent.click(screen.getByRole('button', { name: 'Copy answer' }));
    await waitFor(() => expect(written).toEqual(['It is **so**.']));
  });

  it('is to rate it, and to remove the rating', async () => {
    await db.messages.add(answered);
    const { rerender } = render(list([answered]));
    const good = () => screen.getByRole('button', { name: 'Good answer' });
    expect(good().getAttribute('aria-pressed')).toBe('false');
    fireEvent.click(good());
    await waitFor(async () => expect(await db.outbox.toArray()).toMatchObject([{ body: { messageId: answered.id, rating: 'up' } }]));
    rerender(list([{ ...answered, rating: 'up' }]));
    expect(good().getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(good());
    await waitFor(async () => expect(await db.outbox.toArray()).toMatchObject([{ body: { rating: null } }]));
  });

  it('is to ask for another one in its place', async () => {
    await db.messages.add(answered);
    render(list([answered]));
    fireEvent.click(screen.getByRole('button', { name: 'Ask for another answer' }));
    await waitFor(async () => expect(await asked()).toMatchObject([askedAgain]));
  });

  it('is to edit its question, unless it is being edited', () => {
    const { rerender } = render(list([answered]));
    expect(screen.getByRole('button', { name: 'Edit message' })).toBeTruthy();
    rerender(list([answered], { editing: answered.id }));
    expect(screen.queryByRole('button', { name: 'Edit message' })).toBeNull();
    rerender(list([unanswered({ id: 'q' })]));
    expect(screen.queryByRole('button', { name: 'Edit message' })).toBeNull();
  });

  it('that failed is to try again; it is an error and no answer', async () => {
    const failed = { ...answered, failed: true, ai_response: 'Tidemark could not answer.' };
    await db.messages.add(failed);
    render(list([failed]));
    expect(screen.queryByRole('button', { name: 'Copy answer' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(async () => expect(await asked()).toMatchObject([askedAgain]));
  });

  it('that was stopped is to ask again; nothing is on its way', async () => {
    const stopped = { ...answered, stopped: true, ai_response: '' };
    await db.messages.add(stopped);
    render(list([stopped]));
    expect(screen.getByText('Stopped. This question was not counted.')).toBeTruthy();
    expect(screen.queryByText('Waiting for the answer')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Ask again' }));
    await waitFor(async () => expect(await asked()).toMatchObject([askedAgain]));
  });

  it('that was stopped after it had begun says that it counts', () => {
    render(list([{ ...answered, stopped: true, counted: true, ai_response: '' }]));
    expect(screen.getByText('Stopped. This question counts because its answer had started.')).toBeTruthy();
  });

  it('shows the coins it is about, as far as they are known here', async () => {
    await db.coins.add({ id: 1, symbol: 'BTC', name: 'Bitcoin', rank: 1, quote: { USD: quote({ price: 97123.45 }) } });
    render(list([{ ...answered, id: 'about-coins', coins: [1, 2] }]));
    const cards = screen.getByRole('list', { name: 'Coins of this answer' });
    await waitFor(() => expect(cards.textContent).toContain('$97,123.45'));
    expect([...cards.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/crypto/details/1']);
  });

  it('reserves the space of its coins offline until the device has been read', async () => {
    reportUnreachable();
    render(list([{ ...answered, id: 'about-coins', coins: [1] }]));
    const cards = screen.getByRole('list', { name: 'Coins of this answer' });
    expect(cards.dataset.awaited).toBe('true');
    await waitFor(() => expect(cards.dataset.awaited).toBe('false'));
    reportReachable();
  });

  it('requests an unknown coin once, and only while the answer is on the screen', async () => {
    let show = () => {};
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
          show = () => seen([{ isIntersecting: true }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    const paths: string[] = [];
    const details = { ucid: 7, circulating_supply: null, total_supply: null, max_supply: null, ratingScore: null, tags: [] };
    const links = { websiteUrl: null, technicalDocUrl: null, redditUrl: null, githubUrl: null, explorerUrl: null };
    const coin = { id: 7, symbol: 'SEV', name: 'Seven', rank: 7, quote: { USD: quote({ price: 7.5 }) } };
    vi.stubGlobal('fetch', async (path: string) => {
      paths.push(path);
      const source = { name: 'Test', demo: true, asOf: '2026-01-01T00:00:00.000Z' };
      return Response.json({ status: 200, data: { ...coin, ...details, ...links, isWatchListed: false, source } });
    });
    render(list([{ ...answered, coins: [7] }]));
    expect(paths).toEqual([]);
    await waitFor(() => {
      act(show);
      expect(screen.getByRole('link', { name: /SEV/ }).textContent).toContain('$7.50');
    });
    expect(paths).toEqual([expect.stringMatching(/get-single-data\/7\//)]);
  });
});
