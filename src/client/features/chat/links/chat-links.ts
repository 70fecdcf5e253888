import { call } from '#client/platform/api/call.ts';
import { isMissing } from '#client/platform/api/errors.ts';
import {
  archiveLinksAnswer,
  type ChatLink,
  type LinkCopy,
  type LinkDays,
  linkAnswer,
  linksAnswer,
  SHARED_CHAT_PATH,
} from '#contract/chat/chat-links.ts';
import { messageAnswer } from '#contract/envelope.ts';

const TOKEN_BYTES = 32;

/** The choices of a link. */
export interface LinkChoices {
  days: LinkDays;
  withPictures: boolean;
}

/** A link to make. The same one can be sent again: the server makes it once. */
export interface NewLink extends LinkChoices {
  id: string;
  token: string;
  last: number;
}

/** Prepares a link with a random token, which the server stores as a hash only. */
export function prepareLink(choices: LinkChoices, last: number): NewLink {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  const token = btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => ({ '+': '-', '/': '_' })[character] ?? '');
  return { ...choices, id: crypto.randomUUID(), token, last };
}

/** The address of a link. The token is in the fragment, which browsers send to no server. */
export const linkAddress = (token: string): string => new URL(`${SHARED_CHAT_PATH}#${token}`, location.origin).href;

const pathOf = (archiveId: string) => `/archive/${encodeURIComponent(archiveId)}/links`;

/** Reads a chat's links and what a new one would show. Throws as `call`. */
export const readArchiveLinks = async (archiveId: string): Promise<{ links: ChatLink[]; copy: LinkCopy }> =>
  (await call(pathOf(archiveId), { answer: archiveLinksAnswer })).data;

/** Makes a link. Throws as `call`. */
export async function createLink(archiveId: string, { id, token, days, withPictures, last }: NewLink): Promise<ChatLink> {
  const body = { id, token, days, with_pictures: withPictures, last };
  return (await call(pathOf(archiveId), { method: 'POST', body, key: id, answer: linkAnswer })).data;
}

/** Reads all links of the user that have not expired. Throws as `call`. */
export const readLinks = async (): Promise<ChatLink[]> => (await call('/chat-links', { answer: linksAnswer })).data;

/** Ends a link. Succeeds if it has ended already. Throws as `call`. */
export async function stopLink({ id }: Pick<ChatLink, 'id'>): Promise<void> {
  try {
    await call(`/chat-links/${encodeURIComponent(id)}`, { method: 'DELETE', answer: messageAnswer });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
