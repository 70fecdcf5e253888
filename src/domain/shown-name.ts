import { holdsLink } from '../contract/names.ts';

const LONGEST = 60;
/** Line breaks, and characters without a width but the joiners that some scripts need. */
const BREAKS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A name as mails and notifications show it: on one line and at most 60 characters long. Empty for a name with a link,
 * which rows from before `contract/names` can have.
 */
export function shownName(name: string): string {
  const line = name.slice(0, 1000).replace(BREAKS, ' ').replace(/\s+/g, ' ').trim();
  if (holdsLink(line)) return '';
  const characters = [...line];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : line;
}

/** How a mail begins: "Hello Ada,". */
export const greetingTo = (name: string): string => `${['Hello', shownName(name)].filter(Boolean).join(' ')},`;
