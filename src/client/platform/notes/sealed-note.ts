import type * as z from 'zod/mini';
import { seal, unseal } from '../session/cipher.ts';
import { NOTE_PREFIX } from './drop-notes.ts';

/** What one screen hands to the next, with the moment (ms UTC) from which it no longer counts. */
interface Expiring {
  expiresAt: number;
}

/** Stores encrypted notes for this tab only. They survive a reload. */
export interface SealedNote<Value extends Expiring> {
  keep(value: Value): Promise<void>;
  /** What was kept, unless it is too old or cannot be read; then it is removed. */
  read(now?: number): Promise<Value | undefined>;
  drop(): void;
}

export function sealedNote<Value extends Expiring>(name: string, schema: z.ZodMiniType<Value>): SealedNote<Value> {
  const key = NOTE_PREFIX + name;
  const drop = () => sessionStorage.removeItem(key);
  return {
    async keep(value) {
      const sealed = new Uint8Array(await seal(value));
      sessionStorage.setItem(key, btoa(String.fromCharCode(...sealed)));
    },
    async read(now = Date.now()) {
      const stored = sessionStorage.getItem(key);
      if (stored === null) return undefined;
      try {
        const kept = schema.parse(await unseal(Uint8Array.from(atob(stored), (letter) => letter.charCodeAt(0)).buffer));
        if (kept.expiresAt > now) return kept;
      } catch {
        // Sealed under a key that is gone, or not ours.
      }
      drop();
      return undefined;
    },
    drop,
  };
}
