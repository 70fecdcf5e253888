import { useEffect, useState } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { type Draft, draftKey, editKey, heldDraft, NO_DRAFT, readDraft } from './drafts.ts';
import { resumeEditing, useEditing } from './edit-message.ts';

interface ComposerDraft {
  /** The draft's name on the device. */
  key: string;
  /** The message that is being edited. */
  editing: string | undefined;
  /** What was typed before; undefined until the device has been asked. */
  draft: Draft | undefined;
}

/** What the composer begins with: the draft of a conversation's next question, or of the one being edited. */
export function useComposerDraft(db: UserDb, archiveId: string | undefined): ComposerDraft {
  const editing = useEditing(db, archiveId);
  const key = archiveId !== undefined && editing !== undefined ? editKey(archiveId) : draftKey(archiveId);
  const [stored, setStored] = useState<{ key: string; draft: Draft }>();

  useEffect(() => {
    if (archiveId !== undefined) resumeEditing(db, archiveId).catch(() => undefined); // no edit is no loss of anything else
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
