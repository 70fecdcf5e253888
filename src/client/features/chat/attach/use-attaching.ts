import { useRef, useState } from 'react';
import type { UserDb } from '#client/platform/db/user-db.ts';
import { attachPicture } from './attach-picture.ts';
import { PictureProblem } from './picture-prepare.ts';

interface Callbacks {
  begin: () => void;
  done: (imageId: string) => void;
  /** The typed text stays. */
  failed: (message: string) => void;
}

interface Attaching {
  /** Progress of preparing a picture, 0 to 1; undefined if none is being prepared. */
  done: number | undefined;
  attach: (file: File) => Promise<void>;
  /** Cancels the preparation. */
  cancel: () => void;
}

/** Prepares a chosen file; a newer choice cancels an earlier one. */
export function useAttaching(db: UserDb, { begin, done, failed }: Callbacks): Attaching {
  const [progress, setProgress] = useState<number>();
  const turn = useRef(0);

  async function attach(file: File) {
    const mine = ++turn.current;
    const wanted = () => mine === turn.current;
    begin();
    setProgress(0);
    try {
      const id = await attachPicture(db, file, (share) => wanted() && setProgress(share));
      if (wanted()) done(id);
    } catch (error) {
      if (!(error instanceof PictureProblem)) console.error('storing the picture failed', error);
      const full = 'The picture could not be stored on this device. Free some space and try again.';
      if (wanted()) failed(error instanceof PictureProblem ? error.message : full);
    } finally {
      if (wanted()) setProgress(undefined);
    }
  }

  const cancel = () => {
    turn.current += 1;
    setProgress(undefined);
  };
  return { done: progress, attach, cancel };
}
