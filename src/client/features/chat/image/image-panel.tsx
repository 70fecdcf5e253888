import { useEffect, useRef, useState } from 'react';
import { userDb } from '#client/platform/db/user-db.ts';
import { saveFile } from '#client/platform/save-file.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { toast } from '#client/platform/toast.ts';
import { useObjectUrl } from '#client/platform/use-object-url.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { Checkbox } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { DOWNLOAD, SHARE } from '#client/ui/graphics/drawings.ts';
import { onThemeChange } from '#client/ui/theme/token-colors.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { formatMoment } from '../figure/format-figure.ts';
import { type ChatImage, drawImage } from './draw-image.ts';
import { type Offered, readExchanges } from './exchanges.ts';
import styles from './image-panel.module.css';

type Found = { exchanges: Offered[]; leftOut: number };

/** Characters of a question in the list of choices. */
const LISTED = 80;

/** Draws chosen questions and answers of a chat as an image, to send or save. Works without a connection. */
export function ImagePanel({ archive }: { archive: Archive }) {
  const db = userDb(useClaims().sub);
  const [found, setFound] = useState<Found | 'failed'>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    let isCurrent = true;
    readExchanges(db, archive.id).then(
      (read) => {
        if (!isCurrent) return;
        setFound(read);
        const last = read.exchanges.at(-1);
        setChosen(new Set(last ? [last.id] : []));
      },
      () => isCurrent && setFound('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [db, archive.id]);

  if (!found) return <Skeleton height={200} radius={12} />;
  if (found === 'failed') return <FormError>The chat could not be read from this device. Close this and try again.</FormError>;
  const { exchanges, leftOut } = found;
  if (exchanges.length === 0)
    return (
      <p>
        {leftOut > 0
          ? 'This chat has only answers about your account, which no image shows.'
          : 'This device has no answer of this chat yet.'}
      </p>
    );
  const toggle = (id: string, isChosen: boolean) =>
    setChosen(new Set(exchanges.map((each) => each.id).filter((each) => (each === id ? isChosen : chosen.has(each)))));
  return (
    <div className={styles.panel}>
      <p>The image has the title, the chosen questions and answers, figures and times. Your name and your pictures are not in it.</p>
      {leftOut > 0 && <p className={styles.quiet}>Answers about your bots or plan are left out.</p>}
      {exchanges.length > 1 && (
        <fieldset className={styles.choices}>
          <legend>Questions in the image</legend>
          {[...exchanges].reverse().map(({ id, question }) => (
            <Checkbox
              key={id}
              label={<span className={styles.question}>{question.slice(0, LISTED) || 'Picture'}</span>}
              checked={chosen.has(id)}
              onChange={(event) => toggle(id, event.target.checked)}
            />
          ))}
        </fieldset>
      )}
      {chosen.size === 0 ? (
        <p role="status">Choose a question.</p>
      ) : (
        <Picture title={archive.archive_title} exchanges={exchanges.filter(({ id }) => chosen.has(id))} />
      )}
    </div>
  );
}

/** Shows the image, with buttons that send and save it. */
function Picture({ title, exchanges }: { title: string; exchanges: Offered[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const [image, setImage] = useState<ChatImage | 'failed'>();
  const [themes, setThemes] = useState(0);
  const drawn = typeof image === 'object' ? image : undefined;
  const url = useObjectUrl(drawn?.picture);
  const which = exchanges.map(({ id }) => id).join();

  useEffect(() => onThemeChange(() => setThemes((count) => count + 1)), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: draws again for other questions and colors; the list is new at each render
  useEffect(() => {
    const place = frame.current;
    if (!place) return;
    let isCurrent = true;
    drawImage(place, { title: title || 'Chat', exchanges, madeAt: formatMoment(new Date().toISOString()) }).then(
      (next) => isCurrent && setImage(next),
      (error: unknown) => {
        console.error('drawing a chat failed', error);
        if (isCurrent) setImage('failed');
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [title, which, themes]);

  const file = drawn && new File([drawn.picture], 'tidemark-chat.png', { type: 'image/png' });
  return (
    <div ref={frame} className={styles.panel}>
      {image === 'failed' ? (
        <FormError>Your browser could not draw the image. Share a link, or copy the chat as Markdown.</FormError>
      ) : (
        <>
          {url && drawn ? <img className={styles.preview} src={url} alt={drawn.text} /> : <Skeleton height={200} radius={12} />}
          {drawn?.isCut && <p className={styles.quiet}>The image ends early, because the chat is long. It says so at its end.</p>}
          <div className={styles.buttons}>
            <Button icon={DOWNLOAD} busy={!file} onClick={() => file && saveFile(file.name, file)}>
              Save image
            </Button>
            {file && drawn && canSend(file) && (
              <Button variant="secondary" icon={SHARE} onClick={() => void send(file, title, drawn.text)}>
                Send image
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}

const canSend = (file: File): boolean => typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] });

/** Opens the device's share sheet. A user who closes it has changed nothing. */
async function send(file: File, title: string, text: string): Promise<void> {
  try {
    await navigator.share({ files: [file], title: title || 'Chat', text });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError'))
      toast('Your browser could not open its share menu. Save the image.');
  }
}
