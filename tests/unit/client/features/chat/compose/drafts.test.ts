import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetDraft, heldDraft, NO_DRAFT, readDraft, saveDrafts, writeDraft } from '#client/features/chat/compose/drafts.ts';
import { deleteUserDb, userDb } from '#client/platform/db/user-db.ts';

const userId = 'drafter';
const db = () => userDb(userId);
const draft = (text: string) => ({ ...NO_DRAFT, text });

beforeEach(async () => {
  await saveDrafts(); // ends the wait after an earlier test's change
  await db().open();
});

afterEach(async () => {
  vi.useRealTimers();
  await forgetDraft(db(), 'new');
  await deleteUserDb(userId);
});

it('is known at once, and to the device when the page is left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // the delay does not pass meanwhile
  writeDraft(db(), 'new', draft('Half'));
  writeDraft(db(), 'new', draft('Half a thought'));
  expect(await readDraft(db(), 'new')).toEqual(draft('Half a thought'));
  expect(await db().drafts.toArray()).toEqual([{ key: 'new', ...draft('Half') }]);
  window.dispatchEvent(new Event('pagehide'));
  db().close({ disableAutoOpen: false }); // as Dexie does when the browser may keep the page
  expect(await db().drafts.toArray()).toEqual([{ key: 'new', ...draft('Half a thought') }]);
});

it('is on its way to the device with its first change, and waits behind an earlier transaction alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const earlier = db().transaction('rw', db().drafts, () => db().drafts.put({ key: 'other', ...draft('Earlier') }));
  writeDraft(db(), 'new', draft('First'));
  await earlier;
  expect((await db().drafts.get('new'))?.text).toBe('First');
  writeDraft(db(), 'new', draft('Second'));
  expect((await db().drafts.get('new'))?.text).toBe('First');
  await vi.waitFor(async () => expect((await db().drafts.get('new'))?.text).toBe('Second'));
});

it('is read from the device by a page that did not write it', async () => {
  await db().drafts.put({ key: 'new', text: 'From before', imageId: 'i', editing: null });
  expect(heldDraft(db(), 'new')).toBeUndefined();
  expect(await readDraft(db(), 'new')).toMatchObject({ text: 'From before', imageId: 'i' });
  expect(await readDraft(db(), 'elsewhere')).toEqual(NO_DRAFT);
});

it('leaves no row when nothing is left of it', async () => {
  writeDraft(db(), 'new', draft('x'));
  await saveDrafts();
  writeDraft(db(), 'new', NO_DRAFT);
  await saveDrafts();
  expect(await db().drafts.count()).toBe(0);
});

it('is not written any more once it was sent', async () => {
  writeDraft(db(), 'new', draft('sent'));
  await forgetDraft(db(), 'new');
  await saveDrafts();
  expect(await db().drafts.count()).toBe(0);
});

it('is gone also where it was being saved while its question was stored', async () => {
  const seen = { deleted: false, saving: false };
  writeDraft(db(), 'new', draft('sent'));
  const stored = db().transaction('rw', db().drafts, async () => {
    await db().drafts.delete('new');
    seen.deleted = true;
    while (!seen.saving) await db().drafts.count();
  });
  await vi.waitFor(() => expect(seen.deleted).toBe(true));
  const saved = saveDrafts();
  seen.saving = true;
  await stored;
  await forgetDraft(db(), 'new');
  await saved;
  expect(await db().drafts.count()).toBe(0);
});
