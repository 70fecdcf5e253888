import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exportData } from '#client/features/storage/export-data.ts';
import { StoragePage } from '#client/features/storage/storage-page.tsx';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { enqueue } from '#client/platform/outbox/outbox.ts';
import { type InstallEvent, installOffer } from '#client/platform/pwa/install-offer.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';

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
/** An archive with a valid end record and no content. */
const END = [0x50, 0x4b, 0x05, 0x06, ...new Uint8Array(18)];
const ZIP = new Uint8Array([...new Uint8Array(2000), ...END]);

interface Sent {
  parts?: Uint8Array[];
  /** After the parts, the archive ends, the connection breaks, or nothing more arrives. */
  after?: 'end' | 'break' | 'nothing';
  type?: string;
}

/** The server's answer to an export. `signals`: of the requests. */
function archiveApi({ parts = [ZIP], after = 'end', type = 'application/zip' }: Sent = {}) {
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', async (input: string, { signal }: { signal: AbortSignal }) => {
    if (input !== `/api/user/${userId}/export`) throw new TypeError('Failed to fetch');
    signals.push(signal);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        if (after === 'end') controller.close();
        if (after === 'break') controller.error(new TypeError('network error'));
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { 'Content-Type': type } });
  });
  return signals;
}

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

describe('the export of the device', () => {
  it('is complete, includes unsent data, and has no secrets', async () => {
    await db.profile.put(profile());
    await db.archives.put(archive);
    await db.messages.bulkPut([chatRow({ id: 'b', position: 2 }), chatRow({ id: 'a', position: 1 })]);
    await db.coins.put({ id: 1, symbol: 'BTC', name: 'Bitcoin', rank: 1, quote: {} });
    await db.watchlist.put({ id: 1, place: 0 });
    await db.notifications.put(note);
    await db.contacts.put({ id: 'w', kind: 'contact', message: 'Waits', files: 0, createdAt: NOW, sentAt: null });
    const message = { client_id: 'q', user_id: userId, archive_id: ARCHIVE, message: 'Why?', chat_id: 0 as const, chat_image: null };
    await enqueue(db, { id: 'q', lane: 'chat', body: { message, newArchive: false }, createdAt: NOW });
    await db.drafts.put({ key: 'new', text: 'Half a', imageId: null, editing: null });
    const content = await run();
    expect(content).toMatchObject({
      source: 'device',
      profile: { first_name: 'Ada' },
      archives: [{ id: ARCHIVE, messages: [{ id: 'a' }, { id: 'b' }] }],
      watchlist: [{ id: 1, symbol: 'BTC', name: 'Bitcoin' }],
      notifications: [note],
      contacts: [{ id: 'w', message: 'Waits' }],
      not_sent: { questions: [{ archive_id: ARCHIVE, text: 'Why?' }], contacts: [{ kind: 'contact', text: 'Waits' }], drafts: ['Half a'] },
    });
    expect(JSON.stringify(content)).not.toContain(SECRET);
  });
});

describe('the page', () => {
  it('lists stored data, and clears a kind after confirmation', async () => {
    fakeApi({});
    await db.archives.put(archive);
    await db.messages.bulkPut([chatRow({ id: 'a' }), chatRow({ id: 'b', position: 2 })]);
    await db.stamps.put({ key: 'archives', savedAt: Date.now() });
    render(<StoragePage onAdded={async () => undefined} />);
    const list = await screen.findByRole('list', { name: 'What is stored' });
    const row = () => within(list).getAllByRole('listitem')[0];
    expect(row()?.textContent).toContain('2 messages · synced just now');
    expect(screen.queryByRole('button', { name: 'Clear Drafts' })).toBeNull();

    fireEvent.click(screen.getByRole('button', { name: 'Clear Chats' }));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await db.messages.count()).toBe(2);
    fireEvent.click(screen.getByRole('button', { name: 'Clear Chats' }));
    expect(screen.getByRole('dialog', { name: 'Clear Chats' }).textContent).toContain('stay in your account and load again online');
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(row()?.textContent).toContain('Nothing here'));
    expect([await db.messages.count(), await db.archives.count()]).toEqual([0, 0]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('offers to install the app if the browser can, even after a decline', async () => {
    fakeApi({});
    let asked = 0;
    const prompt = async () => {
      asked += 1;
    };
    render(<StoragePage onAdded={async () => undefined} />);
    expect(screen.queryByRole('button', { name: 'Install Tidemark' })).toBeNull();
    act(() => installOffer.set(Object.assign(new Event('beforeinstallprompt'), { prompt }) as InstallEvent));
    fireEvent.click(screen.getByRole('button', { name: 'Install Tidemark' }));
    expect(asked).toBe(1);
    expect(screen.queryByRole('button', { name: 'Install Tidemark' })).toBeNull();
  });

  it('asks the browser to keep the data, and shows its answer', async () => {
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
      render(<StoragePage onAdded={async () => undefined} />);
      await screen.findByText('3.4 MB');
      screen.getByText('May be cleared');
      fireEvent.click(screen.getByRole('button', { name: 'Keep my data' }));
      await screen.findByText(/Your browser declined/);
      await buttonsWork();
      fireEvent.click(screen.getByRole('button', { name: 'Keep my data' }));
      await screen.findByText('Kept');
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep my data' })).toBeNull());
    } finally {
      Reflect.deleteProperty(navigator, 'storage');
    }
  });

  describe('exports', () => {
    let files: Blob[];
    let names: string[];
    beforeEach(() => {
      files = [];
      names = [];
      vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`);
      vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
        names.push(this.download);
      });
      reportReachable();
    });
    const start = () => {
      render(<StoragePage onAdded={async () => undefined} />);
      fireEvent.click(screen.getByRole('button', { name: 'Export my data' }));
    };

    it('all data of the server, as a ZIP', async () => {
      archiveApi();
      start();
      await screen.findByText('Saved, with all data from the server.');
      expect(names).toEqual([expect.stringMatching(/^tidemark-\d{4}-\d\d-\d\d\.zip$/)]);
      expect(files[0]?.size).toBe(ZIP.length);
      expect(screen.queryByRole('button', { name: 'Cancel export' })).toBeNull();
    });

    it.each([
      ['breaks off', { after: 'break' }],
      ['has no end', { parts: [ZIP.subarray(0, -4)] }],
      ['is a page of a captive portal', { type: 'text/html' }],
    ] as const)('nothing where the download %s', async (_, sent) => {
      archiveApi({ ...sent, parts: 'parts' in sent ? [...sent.parts] : [ZIP] });
      start();
      expect((await screen.findByRole('alert')).textContent).toBe(
        'No connection. Please try again when you are online. Nothing was saved.',
      );
      expect(files).toEqual([]);
    });

    it('nothing if the server refuses, and says why', async () => {
      fakeApi({ [`GET /api/user/${userId}/export`]: refusal(429, 'You can export your data 3 times an hour.') });
      start();
      expect((await screen.findByRole('alert')).textContent).toBe('You can export your data 3 times an hour. Nothing was saved.');
      expect(files).toEqual([]);
    });

    it('nothing when canceled, and keeps the focus on the card', async () => {
      const signals = archiveApi({ after: 'nothing' });
      start();
      await screen.findByText('2.0 kB received');
      fireEvent.click(screen.getByRole('button', { name: 'Cancel export' }));
      await screen.findByText('Canceled. Nothing was saved.');
      expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
      expect(document.activeElement?.textContent).toBe('Export my data');
      expect(files).toEqual([]);
    });

    it('stops when the page is left', async () => {
      const signals = archiveApi({ after: 'nothing' });
      start();
      await screen.findByText('2.0 kB received');
      cleanup();
      await waitFor(() => expect(signals[0]?.aborted).toBe(true));
      expect(files).toEqual([]);
    });

    it('the data of the device while the server is unreachable', async () => {
      fakeApi({});
      reportUnreachable();
      start();
      await screen.findByText('Saved, with the data on this device.');
      screen.getByText(/You are offline/);
      expect(names).toEqual([expect.stringMatching(/\.json$/)]);
      expect(JSON.parse((await files[0]?.text()) ?? '')).toMatchObject({ source: 'device' });
    });
  });
});
