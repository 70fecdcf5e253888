import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeNotification } from '#client/features/notifications/follow-notifications.ts';
import { notifications, pullNotifications } from '#client/features/notifications/notifications.ts';
import NotificationsPage from '#client/features/notifications/notifications-page.tsx';
import { markAllRead, readMarksLane } from '#client/features/notifications/read-marks.ts';
import { load, store } from '#client/platform/cache/resource.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { drainLane } from '#client/platform/outbox/http-lanes.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { COINS } from '#client/ui/graphics/drawings.ts';
import type { Notification } from '#contract/notification.ts';
import { formatNotified } from '#domain/format/format-time.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const NOW = Date.now();
const HOUR = 3_600_000;
const note = (id: string, hoursAgo: number, more: Partial<Notification> = {}): Notification => ({
  id,
  created_at: new Date(NOW - hoursAgo * HOUR).toISOString(),
  notification_text: `Text ${id}`,
  kind: 'security',
  link: null,
  read: false,
  ...more,
});

let user = 0;
let userId: string;
let db: UserDb;
let listed: Notification[];
/** Marks that the server received. */
let marks: string[];
let online: boolean;

beforeEach(async () => {
  user += 1;
  userId = `notified-${user}`;
  db = userDb(userId);
  listed = [];
  marks = [];
  online = true;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (!online) throw new TypeError('offline');
    if (init?.method !== 'POST') return Response.json({ status: 200, data: listed });
    marks.push(`${url} ${init.body}`);
    return Response.json({ status: 200, message: 'Marked as read.' });
  });
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

const pull = () => load(db, notifications, { userId });
const show = () =>
  render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
      <NotificationsPage />
    </SWRConfig>,
  );
const texts = () => screen.getAllByRole('listitem').map((row) => row.textContent);

describe('the page', () => {
  it('lists notifications newest first, with unread marks and ages', async () => {
    listed = [note('new', 0), note('old', 3, { read: true }), note('bare', 30, { notification_text: '', read: true })];
    show();
    await waitFor(() => expect(texts()).toEqual(['Unread: Text new0 sec ago', 'Text old3 hours ago', 'User notification30 hours ago']));
    expect(screen.getByText('1 unread')).toBeTruthy();
  });

  it('links to the subject, and only within the app', async () => {
    listed = [note('in', 1, { link: '/settings/manage-subscription' }), note('out', 2, { link: '//evil.example' })];
    show();
    const link = await screen.findByRole('link', { name: /Text in/ });
    expect(link.getAttribute('href')).toBe('/settings/manage-subscription');
    expect(screen.queryByRole('link', { name: /Text out/ })).toBeNull();
  });

  it('marks real money with its own icon, whatever the name of the bot', async () => {
    const texts = ['Real money · Tide: Closed.', 'Paper trading · Real money: Closed.'];
    listed = texts.map((notification_text, hours) => note(String(hours), hours, { kind: 'bot', notification_text }));
    show();
    const rows = await screen.findAllByRole('listitem');
    const signs = rows.map((row) => row.querySelector('path')?.getAttribute('d') === COINS.path);
    expect(signs).toEqual([true, false]);
  });

  it('says when there are none, and why they failed to load', async () => {
    show();
    expect(await screen.findByText('No notifications here!')).toBeTruthy();
    cleanup();
    await db.stamps.clear();
    online = false;
    show();
    expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
  });

  it('is readable offline, and can be marked as read there', async () => {
    listed = [note('a', 1), note('b', 2)];
    await pull();
    online = false;
    show();
    await waitFor(() => expect(texts()).toHaveLength(2));
    fireEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(texts()).toEqual(['Text a1 hour ago', 'Text b2 hours ago']));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull());
  });
});

describe('read marks', () => {
  it('stay until the server has them, and only the latest is sent, once', async () => {
    listed = [note('a', 1), note('b', 2)];
    await pull();
    await markAllRead(db, userId);
    await storeNotification(note('c', 0.5));
    await markAllRead(db, userId);
    await storeNotification(note('d', 0));
    listed = [note('d', 0), note('c', 0.5), ...listed];
    await pull(); // the server has heard of nothing
    const unread = (await db.notifications.toArray()).filter(({ read }) => !read);
    expect(unread.map(({ id }) => id)).toEqual(['d']);
    expect(await drainLane(db, readMarksLane)).toBe('empty');
    expect(marks).toEqual([`/api/notification/${userId}/read ${JSON.stringify({ upTo: note('c', 0.5).created_at })}`]);
    expect(await db.outbox.count()).toBe(0);
  });

  it('are not sent without notifications', async () => {
    await markAllRead(db, userId);
    expect(await db.outbox.count()).toBe(0);
  });
});

it('deletes notifications that the server no longer lists', async () => {
  listed = [note('a', 1), note('b', 2)];
  await pull();
  listed = [note('b', 2)];
  await pull();
  expect(await db.notifications.toCollection().primaryKeys()).toEqual(['b']);
});

it('keeps one that comes while the list is on its way', async () => {
  listed = [note('a', 1)];
  await pull();
  const answered = await notifications.fetch({ userId });
  await storeNotification(note('b', 0));
  await store(db, notifications, { userId }, answered);
  expect(await db.notifications.toCollection().primaryKeys()).toEqual(['a', 'b']);
});

it('keeps those read that are marked, and the mark sent, while the list is on its way', async () => {
  listed = [note('a', 1)];
  await pull();
  const answered = await notifications.fetch({ userId });
  await markAllRead(db, userId);
  expect(await drainLane(db, readMarksLane)).toBe('empty');
  await store(db, notifications, { userId }, answered);
  expect(await db.notifications.get('a')).toMatchObject({ read: true });
});

it('loads those of a user who signs in while the request of the one before is unanswered', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return new Promise(() => undefined);
  });
  const next = `${userId}-next`;
  void pullNotifications();
  void pullNotifications();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await signIn(makeTokens({ sub: next }), true);
  void pullNotifications();
  await vi.waitFor(() => expect(asked.filter((url) => url.includes('/notification/'))).toHaveLength(2));
  expect(asked.at(-1)).toContain(next);
});

it.each([
  [0, '0 sec ago'],
  [59_999, '0 sec ago'],
  [60_000, '1 min ago'],
  [59 * 60_000, '59 min ago'],
  [HOUR, '1 hour ago'],
  [2 * HOUR, '2 hours ago'],
  [50 * HOUR, '50 hours ago'],
  [-5_000, '0 sec ago'],
])('%i ms ago reads %s', (age, text) => {
  expect(formatNotified(NOW - age, NOW)).toBe(text);
});
