import type { DraftRow, UserDb } from '#client/platform/db/user-db.ts';
import { saveOnLeave } from '#client/platform/page-cache.ts';
import { onSignOut } from '#client/platform/session/sign-out-in-other-tabs.ts';
import { onDraftsCleared } from '#client/platform/tabs/drafts-cleared.ts';

export type Draft = Omit<DraftRow, 'key'>;

export const NO_DRAFT: Draft = { text: '', imageId: null, editing: null };

/** Keys of drafts: a conversation has one for its next question and one for an edited question. */
export const draftKey = (archiveId: string | undefined): string => archiveId ?? 'new';
export const editKey = (archiveId: string): string => `edit/${archiveId}`;

/** Delay between two saves, ms. */
const LAG = 250;

interface Held {
  db: UserDb;
  key: string;
  draft: Draft;
}

/** Drafts of this page by `database/key`, at least as new as the stored ones. */
const held = new Map<string, Held>();
const unsaved = new Set<string>();
/** Drafts that this page has read from the device. */
const readFromDevice = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

const nameOf = (db: UserDb, key: string) => `${db.name}/${key}`;

/** Returns this page's draft without reading the database. */
export const heldDraft = (db: UserDb, key: string): Draft | undefined => held.get(nameOf(db, key))?.draft;

/** Whether the device had this page's draft. If it has it no more, another tab has sent or deleted it. */
export function wasSaved(db: UserDb, key: string): boolean {
  const name = nameOf(db, key);
  return (held.has(name) || readFromDevice.has(name)) && !unsaved.has(name);
}

/** Reads a draft; `NO_DRAFT` if there is none. */
export async function readDraft(db: UserDb, key: string): Promise<Draft> {
  const known = heldDraft(db, key);
  if (known) return known;
  const row = await db.drafts.get(key);
  if (row) readFromDevice.add(nameOf(db, key));
  return heldDraft(db, key) ?? row ?? NO_DRAFT;
}

/**
 * Saves a draft: the first change at once, later ones after a short delay or when the page is hidden. A page that is being closed may
 * have no time left to save one behind another transaction.
 */
export function writeDraft(db: UserDb, key: string, draft: Draft): void {
  const name = nameOf(db, key);
  held.set(name, { db, key, draft });
  unsaved.add(name);
  if (timer !== undefined) return;
  void saveDrafts();
  timer = setTimeout(saveDrafts, LAG);
}

/**
 * Deletes a draft that was sent or discarded. The question's transaction deletes the row too, but a save in progress can
 * write it again. Never rejects.
 */
export async function forgetDraft(db: UserDb, key: string): Promise<void> {
  const name = nameOf(db, key);
  forgetHere(name);
  await db.drafts.delete(key).catch((error: unknown) => console.error('deleting a draft failed', error));
}

function forgetHere(name: string): void {
  held.delete(name);
  unsaved.delete(name);
  readFromDevice.delete(name);
}

/** Writes unsaved drafts to the device. */
export async function saveDrafts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await Promise.all(unsavedDrafts().map(save)).catch((error: unknown) => console.error('saving a draft failed', error));
}

/** Writes a draft. It is unsaved until the write has ended, so that a page that is left meanwhile commits it. */
async function save(each: Held): Promise<void> {
  await write(each.db.drafts, each);
  const name = nameOf(each.db, each.key);
  if (held.get(name) === each) unsaved.delete(name);
}

const unsavedDrafts = () => [...unsaved].flatMap((name) => held.get(name) ?? []);

const isEmpty = ({ text, imageId, editing }: Draft) => text === '' && imageId === null && editing === null;

/** Dexie's table or the browser's own store. */
type DraftStore = { put(row: DraftRow): unknown; delete(key: string): unknown };

const write = (store: DraftStore, { key, draft }: Held) => (isEmpty(draft) ? store.delete(key) : store.put({ key, ...draft }));

/** Writes unsaved drafts in transactions that end without further code of this page. */
function commitDrafts(): void {
  for (const each of unsavedDrafts()) {
    if (!each.db.isOpen()) continue;
    const transaction = each.db.backendDB().transaction('drafts', 'readwrite');
    write(transaction.objectStore('drafts'), each);
    transaction.commit();
    unsaved.delete(nameOf(each.db, each.key));
  }
}

saveOnLeave(commitDrafts);
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && void saveDrafts());

function forgetAll(isTheirs: (db: UserDb) => boolean): void {
  for (const [name, { db }] of held) {
    if (!isTheirs(db)) continue;
    forgetHere(name);
  }
}

onSignOut((userId) => forgetAll(({ name }) => name.endsWith(`-user-${userId}`)));
onDraftsCleared((database) => forgetAll(({ name }) => name === database));
