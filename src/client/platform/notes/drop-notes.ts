/** Begins the keys of sealed notes in sessionStorage. */
export const NOTE_PREFIX = 'tidemark:note/';

/** Removes every sealed note of this tab. */
export function dropNotes() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(NOTE_PREFIX)) sessionStorage.removeItem(key);
}
