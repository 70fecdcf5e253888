import { Readable } from 'node:stream';
import { and, eq, sql } from 'drizzle-orm';
import { EXPORT_FORMAT } from '#contract/account/export-format.ts';
import { type NamedContent, streamContent } from '#server/blobs/read-blob.ts';
import type { Db } from '#server/db/open.ts';
import { chatImages } from '#server/db/schema/chat.ts';
import { contactFiles, contactMessages } from '#server/db/schema/contacts.ts';
import { profilePictures } from '#server/db/schema/users.ts';
import type { BlobStore } from '#server/ports/blobs/blob-store.ts';
import { accountLists, alertLists, botLists, channelLists, chatPictureName, extensionOf } from './lists.ts';
import { columnsOf, jsonArray, readPages, type Source } from './pages.ts';
import { readme } from './readme.ts';
import type { ZipEntry } from './zip.ts';

interface Parts {
  db: Db;
  blobStore: BlobStore;
  userId: string;
  startedAt: Date;
}

/** Yields everything a user made, file by file. Names consist of server-made ids and numbers, never of user text. */
export async function* exportFiles(parts: Parts): AsyncGenerator<ZipEntry> {
  const { db, userId, startedAt } = parts;
  yield textFile('README.txt', readme(startedAt));
  yield textFile('export.json', `${JSON.stringify({ format: EXPORT_FORMAT, exported_at: startedAt.toISOString() })}\n`);
  const lists = { ...accountLists(userId), ...alertLists(userId), ...channelLists(userId), ...botLists(userId) };
  for (const [name, source] of Object.entries(lists)) yield jsonFile(name, readPages(db, source));
  yield jsonFile('support-messages.json', supportMessages(db, userId));
  const missing: string[] = [];
  for await (const picture of picturesOf(db, userId)) {
    const body = await streamContent(parts.blobStore, await picture.content());
    if (body) yield { name: picture.name, body, compress: false };
    else missing.push(picture.name);
  }
  if (missing.length > 0) yield textFile('missing-pictures.txt', `The server could not read these pictures:\n${missing.join('\n')}\n`);
}

const textFile = (name: string, text: string): ZipEntry => ({ name, body: Readable.from([Buffer.from(text)]), compress: true });

const jsonFile = (name: string, rows: AsyncIterable<Record<string, unknown>>): ZipEntry => ({
  name,
  body: Readable.from(jsonArray(rows), { objectMode: false }),
  compress: true,
});

async function* supportMessages(db: Db, userId: string): AsyncGenerator<Record<string, unknown>> {
  const source: Source = {
    table: contactMessages,
    columns: columnsOf(contactMessages, 'id', 'kind', 'name', 'email', 'message', 'reply', 'repliedAt', 'createdAt'),
    rows: eq(contactMessages.userId, userId),
    order: [contactMessages.createdAt, contactMessages.id],
  };
  for await (const message of readPages(db, source)) {
    const { messageId, place, type } = contactFiles;
    const files = await db
      .select({ messageId, place, type })
      .from(contactFiles)
      .where(eq(messageId, String(message.id)))
      .orderBy(place);
    yield { ...message, pictures: files.map(contactName) };
  }
}

const contactName = ({ messageId, place, type }: { messageId: string; place: number; type: string }): string =>
  `pictures/support/${messageId}-${place}.${extensionOf(type)}`;

interface NamedPicture {
  name: string;
  /** Read on demand, because rows of older releases hold the picture's bytes themselves. */
  content: () => Promise<NamedContent>;
}

async function* picturesOf(db: Db, userId: string): AsyncGenerator<NamedPicture> {
  const none: NamedContent = { hash: null, size: 0, bytes: null };
  const first = async (rows: Promise<NamedContent[]>): Promise<NamedContent> => (await rows)[0] ?? none;

  const { hash, size, webp } = profilePictures;
  const profile = eq(profilePictures.userId, userId);
  if ((await db.$count(profilePictures, profile)) > 0)
    yield {
      name: 'pictures/profile.webp',
      content: () => first(db.select({ hash, size, bytes: webp }).from(profilePictures).where(profile)),
    };

  const ofChats: Source = {
    table: chatImages,
    columns: columnsOf(chatImages, 'id', 'type'),
    rows: eq(chatImages.userId, userId),
    order: [chatImages.id],
  };
  for await (const { id, type } of readPages(db, ofChats)) {
    const { hash, size, bytes } = chatImages;
    const one = and(eq(chatImages.userId, userId), eq(chatImages.id, String(id)));
    yield {
      name: chatPictureName(String(id), String(type)),
      content: () => first(db.select({ hash, size, bytes }).from(chatImages).where(one)),
    };
  }

  const messages = sql`select ${contactMessages.id} from ${contactMessages} where ${contactMessages.userId} = ${userId}`;
  const ofSupport: Source = {
    table: contactFiles,
    columns: { messageId: contactFiles.messageId, place: contactFiles.place, type: contactFiles.type },
    rows: sql`${contactFiles.messageId} in (${messages})`,
    order: [contactFiles.messageId, contactFiles.place],
  };
  for await (const file of readPages(db, ofSupport)) {
    const named = file as { messageId: string; place: number; type: string };
    const { hash, size, bytes } = contactFiles;
    const one = and(eq(contactFiles.messageId, named.messageId), eq(contactFiles.place, named.place));
    yield { name: contactName(named), content: () => first(db.select({ hash, size, bytes }).from(contactFiles).where(one)) };
  }
}
