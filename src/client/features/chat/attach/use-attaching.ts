import { useLayoutEffect, useRef, useState } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { attachPicture } from './attach-picture.ts';
import { PictureProblem } from './picture-prepare.ts';

interface Callbacks {
  begin: () => void;
  done: (imageId: string) => void;
  /** The typed text stays. */
  failed: (message: string) => void;
}

/** `canceled`: by the user, a newer choice, or another draft. */
type Attached = 'attached' | 'failed' | 'canceled';

interface Attaching {
  /** Progress of preparing a picture, 0 to 1; undefined if none is being prepared. */
  done: number | undefined;
  attach: (file: File) => Promise<Attached>;
  /** Cancels the preparation. */
  cancel: () => void;
}

/**
 * Prepares a chosen file. A newer choice cancels an earlier one.
 * @param draft names the draft that gets it; another one cancels the preparation, whose end can come before that draft is read
 */
export function useAttaching(db: UserDb, draft: string, { begin, done, failed }: Callbacks): Attaching {
  const [progress, setProgress] = useState<number>();
  const turn = useRef(0);

  async function attach(file: File): Promise<Attached> {
    const mine = ++turn.current;
    const wanted = () => mine === turn.current;
    begin();
    setProgress(0);
    try {
      const id = await attachPicture(db, file, (share) => wanted() && setProgress(share));
      if (!wanted()) return 'canceled';
      done(id);
      return 'attached';
    } catch (error) {
      if (!(error instanceof PictureProblem)) console.error('storing the picture failed', error);
      const full = 'The picture could not be stored on this device. Free some space and try again.';
      if (!wanted()) return 'canceled';
      failed(error instanceof PictureProblem ? error.message : full);
      return 'failed';
    } finally {
      if (wanted()) setProgress(undefined);
    }
  }

  const cancel = () => {
    turn.current += 1;
    setProgress(undefined);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft's name says when
  useLayoutEffect(cancel, [draft]);
  return { done: progress, attach, cancel };
}
