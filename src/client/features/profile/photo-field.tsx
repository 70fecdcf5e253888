import { useId, useState } from 'react';
import { useObjectUrl } from '#client/platform/use-object-url.ts';
import { FilePick } from '#client/ui/fields/file-pick.tsx';
import { Avatar } from '#client/ui/graphics/avatar.tsx';
import { PROFILE_PICTURE_TYPES } from '#contract/pictures.ts';

import styles from './photo-field.module.css';
import { PhotoProblem, preparePhoto } from './prepare-photo.ts';

interface PhotoFieldProps {
  names: readonly string[];
  /** The current picture. */
  picture: string | undefined;
  /** The new photo, ready to send. */
  photo: Blob | undefined;
  onChoose: (photo: Blob) => void;
}

/** Shows the user's picture, and lets the user choose a PNG or JPEG photo. */
export function PhotoField({ names, picture, photo, onChoose }: PhotoFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const chosen = useObjectUrl(photo);

  const choose = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (!file) return;
    setProblem(undefined);
    try {
      onChoose(await preparePhoto(file));
    } catch (error) {
      if (!(error instanceof PhotoProblem)) throw error;
      setProblem(error.message);
    } finally {
      input.value = ''; // so that the same file can be chosen again
    }
  };

  return (
    <div className={styles.field}>
      <Avatar names={names} picture={chosen ?? picture} />
      <div>
        <FilePick
          id={id}
          accept={PROFILE_PICTURE_TYPES.join()}
          aria-describedby={problem && `${id}-problem`}
          onChange={(event) => choose(event.target)}
        >
          Change Photo
        </FilePick>
        {problem && (
          <p className={styles.problem} id={`${id}-problem`} role="alert">
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}
