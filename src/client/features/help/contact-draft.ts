import type { ContactRow, DraftFile, DraftRow, UserDb } from '#client/platform/db/user-db.ts';
import { type ContactFile, type ContactMessage, writeContact } from '#client/platform/outbox/contacts.ts';
import { CONTACT_FILE_TYPES, MAX_CONTACT_FILE_BYTES, MAX_CONTACT_FILES } from '#contract/contact.ts';
import { MAX_PIXELS } from '#contract/pictures.ts';

export type ContactKind = ContactRow['kind'];

/** A message that is being written: what was typed, and the pictures that go with it. */
export type ContactDraft = DraftRow & Required<Pick<DraftRow, 'name' | 'files'>>;

/** Where the device keeps a draft's picture. No address of the API begins so. */
const bytesPath = (id: string) => `/draft/${id}`;

const MEGABYTE = 1024 * 1024;
const SIGNATURES: Record<(typeof CONTACT_FILE_TYPES)[number], number[]> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47],
  'image/jpeg': [0xff, 0xd8, 0xff],
};

/** A message of which nothing was typed yet. */
export const emptyDraft = (kind: ContactKind, name: string): ContactDraft => ({
  key: kind,
  text: '',
  imageId: null,
  editing: null,
  name,
  files: [],
});

/** The draft of a kind; `name` is who it is from as long as nothing else was typed. */
export async function readContactDraft(db: UserDb, kind: ContactKind, name: string): Promise<ContactDraft> {
  return { ...emptyDraft(kind, name), ...(await db.drafts.get(kind)) };
}

/** Keeps what was typed or attached, from the first letter on (failure mode 23). */
export function changeContactDraft(
  db: UserDb,
  kind: ContactKind,
  changes: Partial<Pick<ContactDraft, 'name' | 'text' | 'files'>>,
): Promise<unknown> {
  return db.transaction('rw', db.drafts, async () => {
    const { name = '', ...draft } = await readContactDraft(db, kind, '');
    // An emptied name is not kept: the next form begins with the user's own again.
    const changed = { ...draft, ...(name && { name }), ...changes };
    if (changed.text === '' && changed.files.length === 0) await db.drafts.delete(kind);
    else await db.drafts.put(changed);
  });
}

/**
 * Puts files behind those there are, as far as they can be sent. Resolves with a complaint about each that cannot.
 * Throws what the device throws when it has no room.
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

/** What the first bytes say counts, not the name. */
async function typeOf(file: File): Promise<string | undefined> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return CONTACT_FILE_TYPES.find((type) => SIGNATURES[type].every((byte, index) => head[index] === byte));
}

/** 0 for a picture that the browser cannot open; the server says what is wrong with it. */
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

/** False when the message has as many as it may. */
async function keepFile(db: UserDb, kind: ContactKind, file: File, type: string): Promise<boolean> {
  const bytes = await file.arrayBuffer(); // not within the transaction, which would end meanwhile
  const kept: DraftFile = { id: crypto.randomUUID(), name: file.name, type, size: bytes.byteLength };
  return db.transaction('rw', db.drafts, db.images, async () => {
    const { files } = await readContactDraft(db, kind, '');
    if (files.length >= MAX_CONTACT_FILES) return false;
    await db.images.put({ path: bytesPath(kept.id), type, bytes });
    await changeContactDraft(db, kind, { files: [...files, kept] });
    return true;
  });
}

export function removeFile(db: UserDb, kind: ContactKind, id: string): Promise<void> {
  return db.transaction('rw', db.drafts, db.images, async () => {
    const { files } = await readContactDraft(db, kind, '');
    await db.images.delete(bytesPath(id));
    await changeContactDraft(db, kind, { files: files.filter((file) => file.id !== id) });
  });
}

/** A picture of a draft, to be shown. */
export async function readFile(db: UserDb, { id, type }: DraftFile): Promise<Blob | undefined> {
  const image = await db.images.get(bytesPath(id));
  return image && new Blob([image.bytes], { type });
}

/** Makes a message of the draft: written down, and no draft any more, at once or not at all. Resolves with its id. */
export async function writeDraftedContact(db: UserDb, message: Omit<ContactMessage, 'files'>): Promise<string> {
  return db.transaction('rw', [db.drafts, db.images, db.contacts, db.outbox], async () => {
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
