import { useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import type { ChatLink } from '#contract/chat/chat-links.ts';
import { formatCount } from '#domain/format/format-count.ts';
import { stopLink } from './chat-links.ts';
import { linkTime } from './link-time.ts';
import styles from './links.module.css';

/** Shown in place of a link that was stopped, whose button had the focus. */
export const STOPPED: Outcome = { tone: 'done', title: 'The link no longer works.' };

interface LinkListProps {
  /** For screen readers. */
  label: string;
  links: readonly ChatLink[];
  /** Shows the title of each link's chat. */
  withTitles?: boolean;
  onStopped: (link: ChatLink) => void;
}

/** Links with their expiry and a button that ends each. */
export function LinkList({ label, links, withTitles = false, onStopped }: LinkListProps) {
  return (
    <ul className={styles.links} aria-label={label}>
      {links.map((link) => (
        <LinkRow key={link.id} link={link} withTitle={withTitles} onStopped={() => onStopped(link)} />
      ))}
    </ul>
  );
}

function LinkRow({ link, withTitle, onStopped }: { link: ChatLink; withTitle: boolean; onStopped: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { title, messages, with_pictures, created_at, expires_at } = link;

  async function stop() {
    setBusy(true);
    setError(undefined);
    try {
      await stopLink(link);
      onStopped();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  }

  return (
    <li className={styles.link}>
      <div className={styles.about}>
        {withTitle && (
          <a className={styles.title} href={`/chat/archive/${encodeURIComponent(link.archive_id)}`}>
            {title || 'New Chat'}
          </a>
        )}
        <p>Expires {linkTime(expires_at)}</p>
        <p className={styles.quiet}>
          Made {linkTime(created_at)} · {formatCount(messages, 'answer')}
          {with_pictures && ' · with pictures'}
        </p>
        {error !== undefined && (
          <p className={styles.failed} role="alert">
            {errorMessage(error)} The link still works.
          </p>
        )}
      </div>
      <Button
        variant="secondary"
        busy={isBusy}
        aria-label={`Stop sharing the link made ${linkTime(created_at)}`}
        onClick={() => void stop()}
      >
        Stop sharing
      </Button>
    </li>
  );
}
