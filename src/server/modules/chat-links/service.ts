import { type ChatLink, type CreateLink, isLinkToken, type LinkCopy, MAX_LINKS, type SharedChat } from '#contract/chat/chat-links.ts';
import { lockUser } from '#server/db/lock-user.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { type CountClock, timeOf } from '#server/db/windows.ts';
import { notFound, Problem } from '#server/http/errors.ts';
import { hashOf } from '#server/tokens/random-tokens.ts';
import { type CopiedMessage, copyChat } from './copy-chat.ts';
import {
  answeredOf,
  countLinks,
  deleteLink,
  findLink,
  findSharedPicture,
  insertLink,
  type LinkRow,
  listLinks,
  openLink,
  titleOfChat,
} from './store.ts';

const TOO_MANY = `You have ${MAX_LINKS} links. Stop sharing one to make another.`;
const NOTHING = 'This chat has no answer to share yet.';

/** The same for every token that opens nothing, so that guesses learn nothing. */
const unopened = () => notFound('This link has expired or was stopped.');

const toLink = ({ id, archiveId, title, createdAt, expiresAt, withPictures, messageCount }: LinkRow): ChatLink => ({
  id,
  archive_id: archiveId,
  title,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
  with_pictures: withPictures,
  messages: messageCount,
});

export type ChatLinks = ReturnType<typeof createChatLinks>;

/** Stores read-only links to chats, and opens them for everyone who has their token. `clock` decides when one expires. */
export function createChatLinks({ db, clock }: { db: Db; clock: CountClock }) {
  const now = () => timeOf(clock);

  return {
    /** Returns a user's links that have not expired, newest first. */
    list: async (userId: string): Promise<ChatLink[]> => (await listLinks(db, userId, now())).map(toLink),

    /** Returns a chat's links, and what one that is made now would show. Throws 404. */
    async ofChat(userId: string, archiveId: string): Promise<{ links: ChatLink[]; copy: LinkCopy }> {
      if ((await titleOfChat(db, userId, archiveId)) === undefined) throw notFound();
      const { messages, last, leftOut, hasEarlier } = copyChat(await answeredOf(db, userId, archiveId), true);
      const pictures = messages.filter(({ image }) => image !== null).length;
      return {
        links: (await listLinks(db, userId, now(), archiveId)).map(toLink),
        copy: { messages: messages.length, last, left_out: leftOut, earlier: hasEarlier, pictures },
      };
    },

    /** Copies a chat and stores the link to the copy; the same id and token again return the same link. Throws 404 and 409. */
    async create(tx: Tx, userId: string, archiveId: string, { id, token, days, with_pictures, last }: CreateLink): Promise<ChatLink> {
      await lockUser(tx, userId);
      const tokenHash = hashOf(token);
      const title = await titleOfChat(tx, userId, archiveId, true);
      if (title === undefined) throw notFound();
      const known = await findLink(tx, userId, id, tokenHash);
      if (known) return toLink(known);
      const copy = copyChat(await answeredOf(tx, userId, archiveId, last), with_pictures);
      if (copy.messages.length === 0) throw new Problem(409, 'nothing_to_share', NOTHING);
      if ((await countLinks(tx, userId, now())) >= MAX_LINKS) throw new Problem(409, 'too_many_links', TOO_MANY);
      const { messages, leftOut, hasEarlier } = copy;
      const about = { userId, id, archiveId, tokenHash, title, messages, messageCount: messages.length };
      const row = await insertLink(tx, { ...about, withPictures: with_pictures, leftOut, hasEarlier, days }, now());
      if (!row) throw new Problem(409, 'link_taken', 'Another link has this id. Please try again.');
      return toLink(row);
    },

    /** Ends a link and deletes its copy. Throws 404. */
    async stop(tx: Tx, userId: string, id: string): Promise<void> {
      if (!(await deleteLink(tx, userId, id))) throw notFound();
    },

    /** Returns what a token opens. Throws the same 404 for every other token. */
    async open(token: string): Promise<SharedChat> {
      const row = isLinkToken(token) ? await openLink(db, hashOf(token), now()) : undefined;
      if (!row) throw unopened();
      const messages = row.messages as CopiedMessage[];
      return {
        title: row.title,
        shared_at: row.createdAt.toISOString(),
        expires_at: row.expiresAt.toISOString(),
        messages: messages.map(({ image, ...message }) => ({ ...message, picture: image !== null })),
        left_out: row.leftOut,
        earlier: row.hasEarlier,
      };
    },

    /** Returns whose picture is at a place of a shared chat, and its id. Throws the same 404. */
    async picture(token: string, place: number): Promise<{ userId: string; imageId: string }> {
      const found = isLinkToken(token) ? await findSharedPicture(db, hashOf(token), place, now()) : undefined;
      if (!found?.imageId) throw unopened();
      return { userId: found.userId, imageId: found.imageId };
    },
  };
}
