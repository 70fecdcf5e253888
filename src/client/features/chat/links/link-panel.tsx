import { useId, useRef, useState } from 'react';
import { errorMessage, isMissing } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { toast } from '#client/platform/toast.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Segments } from '#client/ui/fields/segments.tsx';
import { Switch } from '#client/ui/fields/switch.tsx';
import { COPY, SHARE } from '#client/ui/graphics/drawings.ts';
import type { Archive } from '#contract/chat/archive.ts';
import { type ChatLink, LINK_DAYS, type LinkCopy, type LinkDays } from '#contract/chat/chat-links.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { createLink, type LinkChoices, linkAddress, type NewLink, prepareLink, readArchiveLinks } from './chat-links.ts';
import { LinkList, STOPPED } from './link-list.tsx';
import { linkTime } from './link-time.ts';
import styles from './links.module.css';
import { useLoaded } from './use-loaded.ts';

const EXPIRIES = LINK_DAYS.map((days) => ({ value: String(days), label: formatCount(days, 'day') }));
const USUAL: LinkChoices = { days: 7, withPictures: false };

const NOT_STORED = 'The server does not have this chat yet. Share it once its question is answered.';

/** Makes a link to a chat, and lists the chat's links. */
export function LinkPanel({ archive }: { archive: Archive }) {
  const { data, error, reload, change } = useLoaded(() => readArchiveLinks(archive.id));
  const reachable = useReachable();
  const heading = useId();
  const [stopped, setStopped] = useState<Outcome>();

  if (!data) {
    if (!reachable) return <p className={styles.note}>You are offline. A link needs a connection; an image does not.</p>;
    if (error === undefined) return <SkeletonRows count={3} />;
    const isUnknown = isMissing(error);
    return (
      <div className={styles.panel}>
        <FormError>{isUnknown ? NOT_STORED : errorMessage(error)}</FormError>
        <Button variant="secondary" onClick={reload}>
          Try again
        </Button>
      </div>
    );
  }
  const { links, copy } = data;
  const changeLinks = (next: ChatLink[]) => change({ links: next, copy });
  return (
    <div className={styles.panel}>
      {!reachable && <p className={styles.note}>You are offline. A link needs a connection; an image does not.</p>}
      {copy.messages === 0 ? (
        <p>
          {copy.left_out > 0
            ? 'This chat has only answers about your account, which no link shows.'
            : 'This chat has no answer to share yet.'}
        </p>
      ) : (
        <LinkForm
          archive={archive}
          copy={copy}
          links={links}
          onMade={(link) => changeLinks([link, ...links.filter(({ id }) => id !== link.id)])}
        />
      )}
      {stopped && <OutcomeNote outcome={stopped} onClose={() => setStopped(undefined)} />}
      {links.length > 0 && (
        <section className={styles.made} aria-labelledby={heading}>
          <h3 id={heading}>Links to this chat</h3>
          <LinkList
            label="Links to this chat"
            links={links}
            onStopped={(gone) => {
              changeLinks(links.filter(({ id }) => id !== gone.id));
              setStopped({ ...STOPPED });
            }}
          />
        </section>
      )}
    </div>
  );
}

interface LinkFormProps {
  archive: Archive;
  copy: LinkCopy;
  /** The chat's links. */
  links: readonly ChatLink[];
  onMade: (link: ChatLink) => void;
}

function LinkForm({ archive, copy, links, onMade }: LinkFormProps) {
  const [choices, setChoices] = useState(USUAL);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [made, setMade] = useState<{ address: string; link: ChatLink }>();
  const hasMade = useRef(false);
  // A repeated attempt sends the same link, because the first one may have arrived.
  const attempt = useRef<NewLink>(undefined);

  async function create() {
    const { current } = attempt;
    const isSame = current?.days === choices.days && current.withPictures === choices.withPictures;
    const link = isSame ? current : prepareLink(choices, copy.last);
    attempt.current = link;
    setBusy(true);
    setError(undefined);
    try {
      const stored = await createLink(archive.id, link);
      attempt.current = undefined;
      hasMade.current = true;
      setMade({ address: linkAddress(link.token), link: stored });
      onMade(stored);
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  }

  const isLive = links.some(({ id }) => id === made?.link.id);
  if (made && isLive) return <MadeLink {...made} title={archive.archive_title} onAgain={() => setMade(undefined)} />;
  return (
    <div className={styles.form}>
      <WhatOthersSee copy={copy} withPictures={choices.withPictures} />
      <div className={styles.choice}>
        <span aria-hidden="true">Expires after</span>
        <Segments
          label="Expires after"
          value={String(choices.days)}
          options={EXPIRIES}
          onChange={(days) => setChoices({ ...choices, days: Number(days) as LinkDays })}
        />
      </div>
      {copy.pictures > 0 && (
        <Switch
          label="With pictures"
          detail={`${formatCount(copy.pictures, 'picture')} that you sent`}
          on={choices.withPictures}
          onChange={(withPictures) => setChoices({ ...choices, withPictures })}
        />
      )}
      {error !== undefined && <FormError>{errorMessage(error)}</FormError>}
      {/* Takes the focus of "Make another link", which is gone. */}
      <Button ref={hasMade.current ? focus : undefined} block busy={isBusy} onClick={() => void create()}>
        Create link
      </Button>
    </div>
  );
}

const focus = (button: HTMLButtonElement | null) => button?.focus();

function WhatOthersSee({ copy: { messages, left_out, earlier, pictures }, withPictures }: { copy: LinkCopy; withPictures: boolean }) {
  return (
    <div className={styles.seen}>
      <p>
        Everyone with the link can read the title and {messages === 1 ? 'the question and its answer' : `${messages} questions and answers`}{' '}
        up to now, with figures and times. Your name is not in it, and later messages are not either.
      </p>
      <ul>
        {pictures > 0 && !withPictures && <li>Your pictures are left out.</li>}
        {left_out > 0 && (
          <li>
            {formatCount(left_out, 'answer')} about your bots or plan {left_out === 1 ? 'is' : 'are'} left out.
          </li>
        )}
        {earlier && <li>Earlier messages are left out, because the chat is long.</li>}
        <li>Text that you wrote is shown as it is. Check it for names and amounts.</li>
      </ul>
    </div>
  );
}

interface MadeLinkProps {
  address: string;
  link: ChatLink;
  title: string;
  onAgain: () => void;
}

function MadeLink({ address, link, title, onAgain }: MadeLinkProps) {
  const field = useRef<HTMLInputElement>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      toast('Copied');
    } catch {
      field.current?.select();
      toast('Your browser blocked copying. The link is selected: copy it yourself.');
    }
  }

  return (
    <div className={styles.form}>
      <OutcomeNote
        outcome={{
          tone: 'done',
          title: 'The link is ready.',
          detail: `It expires on ${linkTime(link.expires_at)}. Copy it now: it is not shown again.`,
        }}
      />
      <TextField ref={field} label="Address" value={address} readOnly onFocus={(event) => event.currentTarget.select()} />
      <div className={styles.buttons}>
        <Button icon={COPY} onClick={() => void copy()}>
          Copy link
        </Button>
        {typeof navigator.share === 'function' && (
          <Button variant="secondary" icon={SHARE} onClick={() => void shareLink(title, address)}>
            Send link
          </Button>
        )}
      </div>
      <p className={styles.after}>
        <a href={address} target="_blank" rel="noopener noreferrer">
          See what others see
        </a>
        <button type="button" className={styles.again} onClick={onAgain}>
          Make another link
        </button>
      </p>
    </div>
  );
}

/** Opens the device's share sheet. A user who closes it has changed nothing. */
async function shareLink(title: string, url: string): Promise<void> {
  try {
    await navigator.share({ title: title || 'Shared chat', url });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError'))
      toast('Your browser could not open its share menu. Copy the link.');
  }
}
