import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Db, Tx } from '../db/open.ts';
import { chatImages } from '../db/schema/chat.ts';
import { contactFiles } from '../db/schema/contacts.ts';
import { profilePictures } from '../db/schema/users.ts';
import type { BlobRef } from '../ports/blobs/blob-store.ts';
import type { UserBlobs } from './user-blobs.ts';

interface OldRow {
  sources: Buffer[];
  /** Replaces the row's bytes with the blobs' names; does nothing when another process has moved the row. */
  name(tx: Tx, blobs: BlobRef[]): Promise<unknown>;
}

/** Moves pictures that older versions stored in rows into the blob store, one row at a time. Safe to interrupt, repeat and run in parallel. */
export async function moveRows(db: Db, blobs: UserBlobs, pause: () => Promise<void> = async () => undefined): Promise<void> {
  for (const next of [() => nextChatImage(db), () => nextContactFile(db), () => nextProfilePicture(db)]) {
    for (let row = await next(); row; row = await next()) {
      const { sources, name } = row;
      await blobs.keep(sources, (stored) =>
        db.transaction(async (tx) => {
          await blobs.hold(tx, stored);
          await name(tx, stored);
        }),
      );
      await pause();
    }
  }
}

async function nextChatImage(db: Db): Promise<OldRow | undefined> {
  const [row] = await db
    .select({ userId: chatImages.userId, id: chatImages.id, bytes: chatImages.bytes, preview: chatImages.preview })
    .from(chatImages)
    .where(and(isNull(chatImages.hash), isNotNull(chatImages.bytes)))
    .limit(1);
  if (!row?.bytes) return undefined;
  return {
    sources: [row.bytes, row.preview ?? Buffer.alloc(0)],
    name: (tx, [whole, preview]) =>
      tx
        .update(chatImages)
        .set({ bytes: null, preview: null, ...whole, previewHash: preview?.hash ?? null, previewSize: preview?.size ?? 0 })
        .where(and(eq(chatImages.userId, row.userId), eq(chatImages.id, row.id), isNull(chatImages.hash))),
  };
}

async function nextContactFile(db: Db): Promise<OldRow | undefined> {
  const [row] = await db
    .select({ messageId: contactFiles.messageId, place: contactFiles.place, bytes: contactFiles.bytes })
    .from(contactFiles)
    .where(and(isNull(contactFiles.hash), isNotNull(contactFiles.bytes)))
    .limit(1);
  if (!row?.bytes) return undefined;
  return {
    sources: [row.bytes],
    name: (tx, [blob]) =>
      tx
        .update(contactFiles)
        .set({ bytes: null, ...blob })
        .where(and(eq(contactFiles.messageId, row.messageId), eq(contactFiles.place, row.place), isNull(contactFiles.hash))),
  };
}

async function nextProfilePicture(db: Db): Promise<OldRow | undefined> {
  const [row] = await db
    .select({ userId: profilePictures.userId, webp: profilePictures.webp })
    .from(profilePictures)
    .where(and(isNull(profilePictures.hash), isNotNull(profilePictures.webp)))
    .limit(1);
  if (!row?.webp) return undefined;
  return {
    sources: [row.webp],
    name: (tx, [blob]) =>
      tx
        .update(profilePictures)
        .set({ webp: null, ...blob })
        .where(and(eq(profilePictures.userId, row.userId), isNull(profilePictures.hash))),
  };
}
