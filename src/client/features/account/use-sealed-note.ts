import { useEffect, useState } from 'react';
import type { SealedNote } from '#client/platform/notes/sealed-note.ts';
import { goBack, history } from '#client/platform/router/history.ts';

/**
 * Returns the note that the previous screen left, undefined while it is read. Goes back a page if there is none.
 * Drops the note when the user leaves the screen, but not on a reload.
 */
export function useSealedNote<Value extends { expiresAt: number }>(note: SealedNote<Value>): Value | undefined {
  const [value, setValue] = useState<Value>();

  useEffect(() => {
    const here = window.location.pathname;
    let isHere = true;
    void note.read().then((kept) => {
      if (!isHere) return;
      if (kept) setValue(kept);
      else goBack('/login');
    });
    const stop = history.listen(({ location }) => {
      if (location.pathname !== here) note.drop();
    });
    return () => {
      isHere = false;
      stop();
    };
  }, [note]);

  // The note may hold a secret, so it expires in memory, too.
  const expiresAt = value?.expiresAt;
  useEffect(() => {
    if (expiresAt === undefined) return;
    const end = setTimeout(note.drop, expiresAt - Date.now());
    return () => clearTimeout(end);
  }, [note, expiresAt]);

  return value;
}
