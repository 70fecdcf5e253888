import { useLayoutEffect, useRef } from 'react';
import { history } from '#client/platform/router/history.ts';
import { deleteShare } from '#client/platform/shared/inbox.ts';
import { readShareForPage } from '#client/platform/shared/share-for-page.ts';
import { withLock } from '#client/platform/tabs/with-lock.ts';
import { MAX_SHARED_BYTES, type ShareProblem, shareProblemIn } from '#contract/share.ts';
import { formatBytes } from '#domain/format/format-bytes.ts';
import { saveDrafts } from '../compose/drafts.ts';
import type { ComposerForm } from '../compose/use-composer-form.ts';

const PROBLEMS: Record<ShareProblem, string> = {
  size: `The shared picture is too large. Share one of at most ${formatBytes(MAX_SHARED_BYTES)}.`,
  storage: 'What you shared could not be stored on this device. Free some space and share it again.',
  several: 'Only the first of the shared pictures is attached.',
  broken: 'Nothing in what you shared could be read. Attach a picture here instead.',
};

const REPLACED_SHARE = 'What you shared before this was not used yet, and is gone. Share it again after you have sent this.';
const REPLACED_PICTURE = 'The shared picture took the place of the one that was attached.';

/** One tab takes a share. */
const LOCK = 'tidemark-shared';

/**
 * Puts what another app shared into the composer of a new chat. The share stays in the device's inbox until the draft has it, so that a
 * killed page loses nothing; after a kill in between, the draft gets the same again.
 */
export function useShared(form: ComposerForm, archiveId: string | undefined): void {
  const current = useRef(form);
  current.current = form;
  const isReady = archiveId === undefined && form.isRead;

  // Ends before the form cancels the picture of the draft that is left.
  useLayoutEffect(() => {
    if (!isReady) return;
    let isOver = false;
    /** Returns what the user should know. */
    async function take(): Promise<string[]> {
      const share = await readShareForPage(Date.now());
      if (isOver || !share) return [];
      const { text, imageId, putBack } = current.current;
      const isNew = !share.text || !text.includes(share.text);
      if (share.text && isNew) putBack(share.text, imageId);
      const attached = share.picture && (await current.current.picture.attach(new File([share.picture], 'shared')));
      // The user went on to another chat: the next new one takes it.
      if (attached === 'canceled' && isOver) return [];
      await saveDrafts();
      await deleteShare(share.id);
      return [
        ...(share.replaces ? [REPLACED_SHARE] : []),
        ...(attached === 'attached' && imageId !== null && isNew ? [REPLACED_PICTURE] : []),
      ];
    }
    const { pathname, search } = history.location;
    const problem = shareProblemIn(search);
    if (problem) history.replace(pathname);
    // Waits for a tab that is taking an older share: the newer one has opened this page.
    withLock(LOCK, take)
      .catch((error: unknown) => {
        if (!isOver) console.error('reading what was shared failed', error);
        return [];
      })
      .then((told) => {
        const all = problem ? [PROBLEMS[problem], ...told] : told;
        if (all.length > 0 && !isOver) current.current.showError(all.join(' '));
      });
    return () => {
      isOver = true;
    };
  }, [isReady]);
}
