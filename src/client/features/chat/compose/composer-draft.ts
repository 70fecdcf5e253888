import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { type Draft, draftKey, editKey, heldDraft, NO_DRAFT, readDraft } from './drafts.ts';
import { resumeEditing, useEditing } from './edit-message.ts';

interface ComposerDraft {
  /** Key of the draft on the device. */
  key: string;
  /** Id of the message that the user is editing. */
  editing: string | undefined;
  /** The stored draft; undefined while it loads. */
  draft: Draft | undefined;
}

/** Returns the draft that fills the composer: of the next question, or of the message being edited. */
export function useComposerDraft(db: UserDb, archiveId: string | undefined): ComposerDraft {
  const editing = useEditing(db, archiveId);
  const key = archiveId !== undefined && editing !== undefined ? editKey(archiveId) : draftKey(archiveId);
  const [stored, setStored] = useState<{ key: string; draft: Draft }>();

  useEffect(() => {
    if (archiveId !== undefined) resumeEditing(db, archiveId).catch(() => undefined); // without the edit, the next question's draft still works
  }, [db, archiveId]);

  useEffect(() => {
    let current = true;
    const known = (draft: Draft) => current && setStored({ key, draft });
    readDraft(db, key).then(known, () => known(NO_DRAFT));
    return () => {
      current = false;
    };
  }, [db, key]);

  return { key, editing, draft: heldDraft(db, key) ?? (stored?.key === key ? stored.draft : undefined) };
}

/** Holds the key under which the composer saves. A new chat's first question sets that of its conversation, before the page shows it. */
export function useSavingKey(key: string): { current: string } {
  const saving = useRef(key);
  useLayoutEffect(() => {
    saving.current = key;
  }, [key]);
  return saving;
}
