import { useEffect, useId, useState } from 'react';
import type { DraftFile, UserDb } from '#client/platform/db/user-db.ts';
import { useObjectUrl } from '#client/platform/use-object-url.ts';
import { IconButton } from '#client/ui/buttons/button.tsx';
import { FilePick } from '#client/ui/fields/file-pick.tsx';
import { IMAGE } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { MAX_CONTACT_FILES } from '#contract/contact.ts';
import { CONTACT_FILE_TYPES, MAX_CONTACT_FILE_BYTES } from '#contract/pictures.ts';
import { attachFiles, type ContactKind, readFile, removeFile } from './contact-draft.ts';
import styles from './contact-files.module.css';

interface ContactFilesProps {
  db: UserDb;
  kind: ContactKind;
  files: readonly DraftFile[];
}

const MEGABYTE = 1024 * 1024;
const size = (bytes: number) => (bytes < MEGABYTE / 10 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MEGABYTE).toFixed(1)} MB`);

/** The pictures of a message: add several, remove each. */
export function ContactFiles({ db, kind, files }: ContactFilesProps) {
  const id = useId();
  const [problems, setProblems] = useState<readonly string[]>([]);

  const attach = async (input: HTMLInputElement) => {
    const chosen = [...(input.files ?? [])];
    input.value = ''; // allows choosing the same file again
    const noRoom = (error: unknown) => {
      console.error('storing a picture failed', error);
      return ['You can send your message without the images. This device has no space for them.'];
    };
    setProblems(await attachFiles(db, kind, chosen).catch(noRoom));
  };
  const remove = (file: DraftFile) => {
    setProblems([]);
    void removeFile(db, kind, file.id);
    document.getElementById(id)?.focus(); // the focused button is removed
  };

  return (
    <div className={styles.field}>
      <p className={styles.label} id={`${id}-label`}>
        Images
      </p>
      {files.length > 0 && (
        <ul className={styles.list} aria-labelledby={`${id}-label`}>
          {files.map((file) => (
            <li key={file.id} className={styles.file}>
              <Thumbnail db={db} file={file} />
              <span className={styles.words}>
                <span className={styles.name}>{file.name}</span>
                <span className={styles.size}>{size(file.size)}</span>
              </span>
              <IconButton label={`Remove ${file.name}`} icon="close" onClick={() => remove(file)} />
            </li>
          ))}
        </ul>
      )}
      <div>
        <FilePick
          id={id}
          multiple
          accept={CONTACT_FILE_TYPES.join()}
          aria-describedby={`${id}-hint${problems.length > 0 ? ` ${id}-problems` : ''}`}
          onChange={(event) => attach(event.target)}
        >
          Add images
        </FilePick>
      </div>
      <p className={styles.hint} id={`${id}-hint`}>
        PNG or JPEG, at most {MAX_CONTACT_FILES}, each up to {MAX_CONTACT_FILE_BYTES / MEGABYTE} MB
      </p>
      {problems.length > 0 && (
        <div className={styles.problems} id={`${id}-problems`} role="alert">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
    </div>
  );
}

function Thumbnail({ db, file }: { db: UserDb; file: DraftFile }) {
  const [blob, setBlob] = useState<Blob>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file's bytes never change under one id
  useEffect(() => {
    let current = true;
    readFile(db, file).then(
      (read) => current && setBlob(read),
      () => undefined, // the row still shows the file's name
    );
    return () => {
      current = false;
    };
  }, [db, file.id]);
  const url = useObjectUrl(blob);
  return <span className={styles.thumbnail}>{url ? <img src={url} alt="" /> : <Icon name={IMAGE} size={20} />}</span>;
}
