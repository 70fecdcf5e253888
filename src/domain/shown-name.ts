import { holdsLink } from '../contract/names.ts';
import { shorten } from './text.ts';

const MAX_NAME_LENGTH = 60;
/** Line breaks, and zero-width characters except the joiners that some scripts need. */
const BREAKS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a name for mails and notifications: one line, at most 60 characters. Empty for a name with a link, which rows from earlier
 * versions can have.
 */
export function shownName(name: string): string {
  const line = name.slice(0, 1000).replace(BREAKS, ' ').replace(/\s+/g, ' ').trim();
  return holdsLink(line) ? '' : shorten(line, MAX_NAME_LENGTH);
}

/** Returns a mail's greeting: "Hello Ada,". */
export const greetingTo = (name: string): string => `${['Hello', shownName(name)].filter(Boolean).join(' ')},`;
