import { useState } from 'react';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { IMAGE } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { imageIdOf } from '#contract/chat/chat-images.ts';
import { useUploaded } from '../ask/upload-progress.ts';
import { useDeviceReading } from '../attach/chart-preview.ts';
import type { LocalMessage } from '../conversation/conversation.ts';
import { PictureLevels } from '../levels/picture-levels.tsx';
import styles from './message-picture.module.css';
import { describeMarks, PictureMarks } from './picture-marks.tsx';
import { PictureView } from './picture-view.tsx';
import { useMessagePicture } from './use-message-picture.ts';

/** Thumbnail of a question's picture with the levels read from it. A tap opens the full picture. */
export const MessagePicture = ({ message }: { message: LocalMessage }) => (message.preview_image ? <Thumb message={message} /> : null);

function Thumb({ message: { preview_image, chat_image, unsent, marks: stored, user_message } }: { message: LocalMessage }) {
  const [large, setLarge] = useState(false);
  const imageId = imageIdOf(chat_image);
  const { url, failed } = useMessagePicture(preview_image);
  const seenHere = useDeviceReading(unsent ? imageId : null);
  const uploaded = useUploaded(imageId);
  const marks = stored ?? seenHere;
  return (
    <figure className={styles.figure}>
      <button type="button" className={styles.frame} aria-label="View picture" onClick={() => setLarge(true)} disabled={!url}>
        {url && (
          <span className={styles.fit}>
            <img src={url} alt="" />
            {marks && <PictureMarks marks={marks} isSmall />}
          </span>
        )}
        {!url && <Icon name={failed ? 'wifi-off' : IMAGE} />}
      </button>
      {failed && <figcaption className={styles.words}>The picture is not on this device.</figcaption>}
      {uploaded !== undefined && <Progress value={uploaded} aria-label="Sending picture" />}
      {!stored && seenHere && (
        <figcaption className={styles.words}>
          <strong>Read on this device</strong> · {describeMarks(seenHere)} · Not counted. The answer will follow.
        </figcaption>
      )}
      {marks && <PictureLevels marks={marks} question={user_message} />}
      {large && <PictureView path={chat_image} preview={url} marks={marks ?? undefined} onClose={() => setLarge(false)} />}
    </figure>
  );
}
