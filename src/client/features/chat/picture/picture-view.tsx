import { type SyntheticEvent, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from '#client/ui/buttons/button.tsx';
import { EYE, EYE_OFF } from '#client/ui/graphics/drawings.ts';
import { openModal } from '#client/ui/overlays/open-modal.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import { describeMarks, PictureMarks } from './picture-marks.tsx';
import styles from './picture-view.module.css';
import { useMessagePicture } from './use-message-picture.ts';

interface PictureViewProps {
  /** Path of the full picture (`Message.chat_image`). */
  path: string | null;
  /** URL of the preview, shown until the full picture loads. */
  preview: string | undefined;
  marks: ChartMarks | undefined;
  onClose: () => void;
}

/** Full-screen view of a picture, with or without its levels. */
export function PictureView({ path, preview, marks, onClose }: PictureViewProps) {
  const { url } = useMessagePicture(path);
  const [marked, setMarked] = useState(true);
  const dialog = useRef<HTMLDialogElement>(null);

  // Closing it before unmount restores the focus.
  useLayoutEffect(() => (dialog.current ? openModal(dialog.current) : undefined), []);

  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={dialog} className={styles.view} aria-label="Picture" onCancel={cancel} onClose={onClose}>
      <header className={styles.header}>
        {marks && marks.levels.length > 0 && (
          <Button variant="ghost" icon={marked ? EYE_OFF : EYE} aria-pressed={marked} onClick={() => setMarked(!marked)}>
            Levels
          </Button>
        )}
        <IconButton label="Close" icon="close" onClick={onClose} />
      </header>
      <div className={styles.stage}>
        <div className={styles.fit}>
          <img src={url ?? preview} alt="Attached to the question" />
          {marks && marked && <PictureMarks marks={marks} />}
        </div>
      </div>
      {marks && <p className={styles.words}>{describeMarks(marks)}</p>}
    </dialog>
  );
}
