import { fold } from '#domain/text.ts';
import type { Tx } from '#server/db/open.ts';
import { titlesWith, titleUntitled } from './store.ts';

/** Characters of a title with its number, so that lists show both. */
const NUMBERED = 40;
/** Characters that a title and its numbered forms share. */
const COMMON = 30;

/** Returns the title with the first number that makes it unlike all `taken` (folded): "Staking", then "Staking (2)". */
function unlikeTitle(title: string, taken: ReadonlySet<string>): string {
  const characters = [...title];
  for (let count = 1; ; count++) {
    const number = count === 1 ? '' : ` (${count})`;
    const room = NUMBERED - number.length;
    const isCut = number !== '' && characters.length > room;
    const own =
      (isCut
        ? `${characters
            .slice(0, room - 1)
            .join('')
            .trimEnd()}…`
        : title) + number;
    if (!taken.has(fold(own))) return own;
  }
}

/**
 * Sets the title of an untitled archive, with a number if another one of the user has it. Returns the title; undefined if the
 * archive has one, which stays. The transaction must hold the user's lock.
 */
export async function nameArchive(tx: Tx, userId: string, id: string, title: string): Promise<string | undefined> {
  const start = [...title].slice(0, COMMON).join('');
  const own = unlikeTitle(title, new Set(await titlesWith(tx, userId, fold(start))));
  return (await titleUntitled(tx, userId, id, own, fold(own))) ? own : undefined;
}
