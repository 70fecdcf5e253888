import { IconButton } from '#client/ui/buttons/button.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { previewPath } from '#contract/chat/chat-images.ts';
import { describeMarks, PictureMarks } from '../picture/picture-marks.tsx';
import { useMessagePicture } from '../picture/use-message-picture.ts';
import { useDeviceReading } from './chart-preview.ts';
import styles from './composer-picture.module.css';

interface ComposerPictureProps {
  imageId: string;
  onRemove: () => void;
}

/** The picture of the next question; offline with this device's own reading of it. */
export function ComposerPicture({ imageId, onRemove }: ComposerPictureProps) {
  const { url } = useMessagePicture(previewPath(imageId));
  const marks = useDeviceReading(imageId);
  return (
    <div className={styles.picture} data-private="">
      <div className={styles.frame}>
        {url && (
          <div className={styles.fit}>
            <img src={url} alt="Attached to your question" />
            {marks && <PictureMarks marks={marks} />}
          </div>
        )}
      </div>
      <p className={styles.words}>
        {marks ? (
          <>
            <strong>Read on this device</strong>
            {describeMarks(marks)}
          </>
        ) : (
          'Sent with your question'
        )}
      </p>
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
