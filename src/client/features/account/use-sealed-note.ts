import { useEffect, useState } from 'react';
import { goBack, history } from '#client/platform/router/history.ts';
import type { SealedNote } from '#client/platform/session/sealed-note.ts';

/**
 * What the screen before left for this one; undefined while it is read. Without it, one page back (spec §2). It is
 * removed when the screen is left; a reload is no leaving.
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

  // It may hold a secret, and outlives its time neither on the device nor here.
  const expiresAt = value?.expiresAt;
  useEffect(() => {
    if (expiresAt === undefined) return;
    const end = setTimeout(note.drop, expiresAt - Date.now());
    return () => clearTimeout(end);
  }, [note, expiresAt]);

  return value;
}
