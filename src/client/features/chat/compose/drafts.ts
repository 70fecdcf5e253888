import type { DraftRow, UserDb } from '#client/platform/db/user-db.ts';
import { onDraftsCleared } from '#client/platform/drafts-cleared.ts';
import { onSignOut } from '#client/platform/session/signed-out.ts';

export type Draft = Omit<DraftRow, 'key'>;

export const NO_DRAFT: Draft = { text: '', imageId: null, editing: null };

/** Names of drafts: a conversation has one for its next question and one for the question being edited. */
export const draftKey = (archiveId: string | undefined): string => archiveId ?? 'new';
export const editKey = (archiveId: string): string => `edit/${archiveId}`;

/** How long the device may lag behind what is typed, ms. */
const LAG = 250;

interface Held {
  db: UserDb;
  key: string;
  draft: Draft;
}

/** What was written on this page, by `database/key`: newer than the device's copy, or the same. */
const held = new Map<string, Held>();
const unsaved = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

const nameOf = (db: UserDb, key: string) => `${db.name}/${key}`;

/** What was typed and not sent, if this page knows it without asking the device. */
export const heldDraft = (db: UserDb, key: string): Draft | undefined => held.get(nameOf(db, key))?.draft;

/** What was typed and not sent; without anything, `NO_DRAFT`. */
export async function readDraft(db: UserDb, key: string): Promise<Draft> {
  const known = heldDraft(db, key);
  if (known) return known;
  const row = await db.drafts.get(key);
  return heldDraft(db, key) ?? row ?? NO_DRAFT;
}

/** Keeps what is typed; the device has it a moment later, and at once when the page is left (failure mode 23). */
export function writeDraft(db: UserDb, key: string, draft: Draft): void {
  const name = nameOf(db, key);
  held.set(name, { db, key, draft });
  unsaved.add(name);
  timer ??= setTimeout(saveDrafts, LAG);
}

/**
 * The draft has become a question, or was given up. A question's own transaction takes the row along; what was just being
 * saved while it ran comes after it, and goes here. Never rejects.
 */
export async function forgetDraft(db: UserDb, key: string): Promise<void> {
  const name = nameOf(db, key);
  held.delete(name);
  unsaved.delete(name);
  await db.drafts.delete(key).catch((error: unknown) => console.error('a draft could not be removed from the device', error));
}

/** Writes to the device what it does not have yet. */
export async function saveDrafts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const waiting = [...unsaved].flatMap((name) => held.get(name) ?? []);
  unsaved.clear();
  await Promise.all(waiting.map(save)).catch((error: unknown) => console.error('a draft could not be kept on the device', error));
}

const isEmpty = ({ text, imageId, editing }: Draft) => text === '' && imageId === null && editing === null;

const save = ({ db, key, draft }: Held) => (isEmpty(draft) ? db.drafts.delete(key) : db.drafts.put({ key, ...draft }));

window.addEventListener('pagehide', () => void saveDrafts());
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && void saveDrafts());

function forgetAll(isTheirs: (db: UserDb) => boolean): void {
  for (const [name, { db }] of held) {
    if (!isTheirs(db)) continue;
    held.delete(name);
    unsaved.delete(name);
  }
}

onSignOut((userId) => forgetAll(({ name }) => name.endsWith(`-user-${userId}`)));
onDraftsCleared((database) => forgetAll(({ name }) => name === database));
