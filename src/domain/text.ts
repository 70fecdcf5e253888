const TITLE_LENGTH = 16;

/** Returns a chat title for the header: 16 characters and '..'. */
export function shortTitle(title: string): string {
  const characters = [...title];
  return characters.length > TITLE_LENGTH ? `${characters.slice(0, TITLE_LENGTH).join('')}..` : title;
}

/** Returns a text of at most `max` characters. One that is cut ends with an ellipsis. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
}

/** Returns `****@example.com`, with stars for the local part. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? email : '*'.repeat(at) + email.slice(at);
}

/** Removes case and accents, for searching and highlighting. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export interface TextPart {
  text: string;
  match: boolean;
}

/** Splits `text` into parts that match `query` and parts that don't, ignoring case and accents. */
export function highlight(text: string, query: string): TextPart[] {
  const needle = fold(query.trim());
  if (!needle) return [{ text, match: false }];
  // Folding can change lengths ("İ"), so each folded letter keeps its source.
  const letters = [...text];
  const folded = letters.map(fold);
  const origin = folded.flatMap((piece, index) => [...piece].map(() => index));
  const haystack = folded.join('');
  const at = haystack.indexOf(needle);
  if (at < 0) return [{ text, match: false }];
  const from = origin[[...haystack.slice(0, at)].length] ?? 0;
  const to = (origin[[...haystack.slice(0, at + needle.length)].length - 1] ?? from) + 1;
  return [
    { text: letters.slice(0, from).join(''), match: false },
    { text: letters.slice(from, to).join(''), match: true },
    { text: letters.slice(to).join(''), match: false },
  ].filter((part) => part.text !== '');
}
