import { IconButton } from '#client/ui/buttons/button.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { previewPath } from '#contract/chat/chat-images.ts';
import { PictureLevels } from '../levels/picture-levels.tsx';
import { describeMarks, PictureMarks } from '../picture/picture-marks.tsx';
import { useMessagePicture } from '../picture/use-message-picture.ts';
import { useDeviceReading } from './chart-preview.ts';
import styles from './composer-picture.module.css';

interface ComposerPictureProps {
  imageId: string;
  /** The question as typed so far. */
  question: string;
  onRemove: () => void;
}

/** The picture of the next question, with this device's own reading of it and alerts at its levels. */
export function ComposerPicture({ imageId, question, onRemove }: ComposerPictureProps) {
  const { url } = useMessagePicture(previewPath(imageId));
  const marks = useDeviceReading(imageId, { isAtOnce: true });
  return (
    <div className={styles.picture} data-private="">
      <div className={styles.frame}>
        {url && (
          <div className={styles.fit}>
            <img src={url} alt="Attached to your question" />
            {marks && <PictureMarks marks={marks} isSmall />}
          </div>
        )}
      </div>
      <div className={styles.words}>
        {marks ? (
          <>
            <strong>Read on this device</strong>
            {describeMarks(marks)}
            <PictureLevels marks={marks} question={question} />
          </>
        ) : (
          'Sent with your question'
        )}
      </div>
      <IconButton label="Remove picture" icon="close" onClick={onRemove} />
    </div>
  );
}

/** Shows the progress of preparing a picture, 0 to 1. */
export const PicturePreparation = ({ done }: { done: number }) => (
  <div className={styles.picture}>
    <div className={styles.frame} />
    <p className={styles.words}>
      Preparing picture
      <Progress value={done} aria-label="Preparing picture" />
    </p>
  </div>
);
