import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exportData } from '../../../../../src/client/features/storage/export-data';
import StoragePage from '../../../../../src/client/features/storage/storage-page';
import { ApiError } from '../../../../../src/client/platform/api/errors';
import { type UserDb, userDb } from '../../../../../src/client/platform/db/user-db';
import { enqueue } from '../../../../../src/client/platform/outbox/outbox';
import { type InstallEvent, installOffer } from '../../../../../src/client/platform/pwa/install-offer';
import { endSession, signIn } from '../../../../../src/client/platform/session/session';
import { ARCHIVE, chatRow } from '../../../../support/chat-rows';
import { type Answers, fakeApi, refusal } from '../../../../support/fake-api';
import { profileOf } from '../../../../support/profile';
import { makeTokens } from '../../../../support/tokens';

const NOW = Date.UTC(2026, 10, 21, 9);
const SECRET = 'app-user-4711';
let users = 0;
let userId: string;
let db: UserDb;

const profile = () => profileOf({ id: userId, country: 'gb', userSubscription: { appUserId: SECRET } });
const archive = { id: ARCHIVE, archive_title: 'Bitcoin', created_at: '2026-01-01T00:00:00.000Z' };
const note = {
  id: 'n',
  created_at: '2026-01-02T00:00:00.000Z',
  notification_text: 'Hello',
  kind: 'security' as const,
  link: null,
  read: true,
};
const contact = {
  id: 'c',
  kind: 'contact',
  name: 'Ada',
  message: 'Help',
  files: 1,
  created_at: '2026-01-03T00:00:00.000Z',
  reply: 'Done',
  replied_at: '2026-01-04T00:00:00.000Z',
};
const ok = (data: unknown, more = {}) => ({ status: 200, body: { status: 200, data, ...more } });
const source = { name: 'Demo', demo: true, asOf: '2026-01-01T00:00:00.000Z' };

const server = (): Answers => ({
  [`GET /api/auth/user/${userId}/`]: ok(profile()),
  [`GET /api/user/${userId}/archives/`]: ok([archive, { ...archive, id: 'gone' }]),
  [`GET /api/archive/${ARCHIVE}/chats`]: ok([chatRow({ id: 'a', rating: 'up' }), chatRow({ id: 'b', chat_image: '/chat/images/1' })]),
  'GET /api/archive/gone/chats': refusal(404, 'There is no such chat.'),
  [`POST /api/watchlist/${userId}`]: ok([{ id: 1, symbol: 'BTC', name: 'Bitcoin', rank: 1, quote: {} }], { source, ids: [1] }),
  [`GET /api/notification/${userId}`]: ok([note]),
  'GET /api/contact-us/messages': ok([contact]),
});

beforeEach(async () => {
  users += 1;
  userId = `exported-${users}`;
  db = userDb(userId);
  await signIn(makeTokens({ sub: userId }), true);
});
afterEach(async () => {
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const run = () => exportData({ db, userId, now: () => NOW });

describe('the copy of one’s data', () => {
  it('is the server’s, whole, and without anything secret', async () => {
    fakeApi(server());
    await db.drafts.put({ key: 'new', text: 'Half a', imageId: null, editing: null });
    const { source, content } = await run();
    expect(source).toBe('server');
    expect(content).toMatchObject({
      product: 'Tidemark',
      exported_at: '2026-11-21T09:00:00.000Z',
      source: 'server',
      profile: { first_name: 'Ada', email: 'ada@example.com', subscription: { planType: 'FREE' } },
      archives: [
        {
          id: ARCHIVE,
          archive_title: 'Bitcoin',
          messages: [
            { id: 'a', user_message: 'Question a', ai_response: 'Answer a', rating: 'up', has_picture: false },
            { id: 'b', has_picture: true },
          ],
        },
        { id: 'gone', messages: [] },
      ],
      watchlist: [{ id: 1, symbol: 'BTC', name: 'Bitcoin' }],
      notifications: [note],
      contacts: [contact],
      not_sent: { drafts: ['Half a'] },
    });
    expect(JSON.stringify(content)).not.toContain(SECRET);
    expect(JSON.stringify(content)).not.toContain('refresh-1');
  });

  it('is the device’s where the server cannot be reached, and says so', async () => {
    fakeApi({ [`GET /api/auth/user/${userId}/`]: ok(profile()) }); // lost in the middle
    await db.profile.put(profile());
    await db.archives.put(archive);
    await db.messages.bulkPut([chatRow({ id: 'b', position: 2 }), chatRow({ id: 'a', position: 1 })]);
    await db.coins.put({ id: 1, symbol: 'BTC', name: 'Bitcoin', rank: 1, quote: {} });
    await db.watchlist.put({ id: 1, place: 0 });
    await db.notifications.put(note);
    await db.contacts.put({ id: 'w', kind: 'contact', message: 'Waits', files: 0, createdAt: NOW, sentAt: null });
    const message = { client_id: 'q', user_id: userId, archive_id: ARCHIVE, message: 'Why?', chat_id: 0 as const, chat_image: null };
    await enqueue(db, { id: 'q', lane: 'chat', body: { message, newArchive: false }, createdAt: NOW });
    const { source, content } = await run();
    expect(source).toBe('device');
    expect(content).toMatchObject({
      source: 'device',
      profile: { first_name: 'Ada' },
      archives: [{ id: ARCHIVE, messages: [{ id: 'a' }, { id: 'b' }] }],
      watchlist: [{ id: 1, symbol: 'BTC', name: 'Bitcoin' }],
      notifications: [note],
      contacts: [{ id: 'w', message: 'Waits' }],
      not_sent: { questions: [{ archive_id: ARCHIVE, text: 'Why?' }], contacts: [{ kind: 'contact', text: 'Waits' }] },
    });
    expect(JSON.stringify(content)).not.toContain(SECRET);
  });

  it('is not half a copy: a refusal ends it', async () => {
    fakeApi({ ...server(), [`GET /api/archive/${ARCHIVE}/chats`]: refusal(500, 'Out of order.') });
    await expect(run()).rejects.toBeInstanceOf(ApiError);
  });
});

describe('the page', () => {
  it('lists what is stored, and clears a kind once that is confirmed', async () => {
    fakeApi({});
    await db.archives.put(archive);
    await db.messages.bulkPut([chatRow({ id: 'a' }), chatRow({ id: 'b', position: 2 })]);
    await db.stamps.put({ key: 'archives', savedAt: Date.now() });
    render(<StoragePage />);
    const list = await screen.findByRole('list', { name: 'What is stored' });
    const row = () => within(list).getAllByRole('listitem')[0];
    expect(row()?.textContent).toContain('2 messages · synced just now');
    expect(screen.queryByRole('button', { name: 'Clear Drafts' })).toBeNull();

    fireEvent.click(screen.getByRole('button', { name: 'Clear Chats' }));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await db.messages.count()).toBe(2);
    fireEvent.click(screen.getByRole('button', { name: 'Clear Chats' }));
    expect(screen.getByRole('dialog', { name: 'Clear Chats' }).textContent).toContain('come back when you open them online');
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(row()?.textContent).toContain('Nothing here'));
    expect([await db.messages.count(), await db.archives.count()]).toEqual([0, 0]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('offers to install the app where the browser would ask, for those who said no before', async () => {
    fakeApi({});
    let asked = 0;
    const prompt = async () => {
      asked += 1;
    };
    render(<StoragePage />);
    expect(screen.queryByRole('button', { name: 'Install Tidemark' })).toBeNull();
    act(() => installOffer.set(Object.assign(new Event('beforeinstallprompt'), { prompt }) as InstallEvent));
    fireEvent.click(screen.getByRole('button', { name: 'Install Tidemark' }));
    expect(asked).toBe(1);
    expect(screen.queryByRole('button', { name: 'Install Tidemark' })).toBeNull();
  });

  it('asks the browser to keep what is stored, and says what it answered', async () => {
    fakeApi({});
    const answers = [false, true];
    let persisted = false;
    const storage = {
      estimate: async () => ({ usage: 3_400_000, quota: 11_000_000_000 }),
      persisted: async () => persisted,
      persist: async () => {
        persisted = answers.shift() ?? false;
        return persisted;
      },
    };
    Object.defineProperty(navigator, 'storage', { value: storage, configurable: true });
    try {
      render(<StoragePage />);
      await screen.findByText('3.4 MB');
      screen.getByText('May be cleared');
      fireEvent.click(screen.getByRole('button', { name: 'Keep my data' }));
      await screen.findByText(/does not promise it yet/);
      fireEvent.click(screen.getByRole('button', { name: 'Keep my data' }));
      await screen.findByText('Kept');
      expect(screen.queryByRole('button', { name: 'Keep my data' })).toBeNull();
    } finally {
      Reflect.deleteProperty(navigator, 'storage');
    }
  });

  it('saves the copy as a file, and says what is in it', async () => {
    fakeApi(server());
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`);
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    render(<StoragePage />);
    fireEvent.click(screen.getByRole('button', { name: 'Export my data' }));
    await screen.findByText('Saved, with all that the server has.');
    expect(saved).toEqual([expect.stringMatching(/^tidemark-\d{4}-\d\d-\d\d\.json$/)]);
    expect(JSON.parse((await files[0]?.text()) ?? '')).toMatchObject({ source: 'server' });

    fakeApi({ ...server(), [`GET /api/notification/${userId}`]: refusal(500, 'Out of order.') });
    fireEvent.click(screen.getByRole('button', { name: 'Export my data' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Out of order. Nothing was saved.');
    expect(saved).toHaveLength(1);
  });
});
