import { transact } from '#client/platform/db/transact.ts';
import type { ContactRow, DraftFile, DraftRow, UserDb, UserTables } from '#client/platform/db/user-db.ts';
import { type ContactFile, type ContactMessage, writeContact } from '#client/platform/outbox/contacts.ts';
import { MAX_CONTACT_FILES } from '#contract/contact.ts';
import { CONTACT_FILE_TYPES, MAX_CONTACT_FILE_BYTES, MAX_PIXELS } from '#contract/pictures.ts';

export type ContactKind = ContactRow['kind'];

/** Draft of a message to support: its text and pictures. */
export type ContactDraft = DraftRow & Required<Pick<DraftRow, 'name' | 'files'>>;

/** Storage key of a draft's picture. No API path starts like this. */
const bytesPath = (id: string) => `/draft/${id}`;

const MEGABYTE = 1024 * 1024;
const SIGNATURES: Record<(typeof CONTACT_FILE_TYPES)[number], number[]> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
};

/** An empty draft. */
export const emptyDraft = (kind: ContactKind, name: string): ContactDraft => ({
  key: kind,
  text: '',
  imageId: null,
  editing: null,
  name,
  files: [],
});

/** Reads the draft of a kind. `name` is the default sender. */
export async function readContactDraft(db: UserTables, kind: ContactKind, name: string): Promise<ContactDraft> {
  return { ...emptyDraft(kind, name), ...(await db.drafts.get(kind)) };
}

/** Saves each change at once, so that a closed page loses nothing. */
export function changeContactDraft(
  db: UserTables,
  kind: ContactKind,
  changes: Partial<Pick<ContactDraft, 'name' | 'text' | 'files'>>,
): Promise<unknown> {
  return transact(db, [db.drafts], async (db) => {
    const { name = '', ...draft } = await readContactDraft(db, kind, '');
    // Do not save an empty name; the next form starts with the user's own name.
    const changed = { ...draft, ...(name && { name }), ...changes };
    if (changed.text === '' && changed.files.length === 0) await db.drafts.delete(kind);
    else await db.drafts.put(changed);
  });
}

/**
 * Adds files to the draft. Resolves with one error text per file that cannot be sent. Throws the database's error if the
 * device has no space.
 */
export async function attachFiles(db: UserDb, kind: ContactKind, files: readonly File[]): Promise<string[]> {
  const complaints: string[] = [];
  for (const file of files) {
    const type = await typeOf(file);
    if (!type) complaints.push(`"${file.name}" is not a PNG or JPEG image.`);
    else if (file.size > MAX_CONTACT_FILE_BYTES) complaints.push(`"${file.name}" is larger than ${MAX_CONTACT_FILE_BYTES / MEGABYTE} MB.`);
    else if ((await pixelsOf(file)) > MAX_PIXELS)
      complaints.push(`"${file.name}" has more than ${MAX_PIXELS / 1_000_000} million pixels. Make it smaller and attach it again.`);
    else if (!(await keepFile(db, kind, file, type))) {
      complaints.push(`At most ${MAX_CONTACT_FILES} images can be attached.`);
      break;
    }
  }
  return complaints;
}

/** Detects the type from the first bytes, because names can be wrong. */
async function typeOf(file: File): Promise<string | undefined> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return CONTACT_FILE_TYPES.find((type) => SIGNATURES[type].every((byte, index) => head[index] === byte));
}

/** Returns 0 for a picture that the browser cannot open; the server reports the error. */
async function pixelsOf(file: File): Promise<number> {
  try {
    const bitmap = await createImageBitmap(file);
    const pixels = bitmap.width * bitmap.height;
    bitmap.close();
    return pixels;
  } catch {
    return 0;
  }
}

/** Returns false if the message has the maximum number of pictures. */
async function keepFile(db: UserDb, kind: ContactKind, file: File, type: string): Promise<boolean> {
  const bytes = await file.arrayBuffer(); // before the transaction, because IndexedDB would end it during this await
  const kept: DraftFile = { id: crypto.randomUUID(), name: file.name, type, size: bytes.byteLength };
  return transact(db, [db.drafts, db.images], async (db) => {
    const { files } = await readContactDraft(db, kind, '');
    if (files.length >= MAX_CONTACT_FILES) return false;
    await db.images.put({ path: bytesPath(kept.id), type, bytes });
    await changeContactDraft(db, kind, { files: [...files, kept] });
    return true;
  });
}

export function removeFile(db: UserDb, kind: ContactKind, id: string): Promise<void> {
  return transact(db, [db.drafts, db.images], async (db) => {
    const { files } = await readContactDraft(db, kind, '');
    await db.images.delete(bytesPath(id));
    await changeContactDraft(db, kind, { files: files.filter((file) => file.id !== id) });
  });
}

/** Reads a draft's picture for its preview. */
export async function readFile(db: UserDb, { id, type }: DraftFile): Promise<Blob | undefined> {
  const image = await db.images.get(bytesPath(id));
  return image && new Blob([image.bytes], { type });
}

/** Turns the draft into a queued message in one transaction. Resolves with the message's id. */
export async function writeDraftedContact(db: UserDb, message: Omit<ContactMessage, 'files'>): Promise<string> {
  return transact(db, [db.drafts, db.images, db.contacts, db.outbox], async (db) => {
    const draft = await readContactDraft(db, message.kind, message.name);
    const files: ContactFile[] = [];
    for (const { id, name, type } of draft.files) {
      const image = await db.images.get(bytesPath(id));
      if (image) files.push({ name, type, bytes: image.bytes });
    }
    await db.images.bulkDelete(draft.files.map(({ id }) => bytesPath(id)));
    await db.drafts.delete(message.kind);
    return writeContact(db, { ...message, files });
  });
}
