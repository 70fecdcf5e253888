import { useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { type Outcome, OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { SkeletonRows } from '#client/ui/feedback/skeleton.tsx';
import { Card } from '#client/ui/layout/card.tsx';
import { MAX_LINKS } from '#contract/chat/chat-links.ts';
import { readLinks } from './chat-links.ts';
import { LinkList, STOPPED } from './link-list.tsx';
import styles from './links.module.css';
import { useLoaded } from './use-loaded.ts';

/** A card of all chats that the user shares by links, each with a button that ends it. */
export function LinksCard() {
  const { data: links, error, reload, change } = useLoaded(readLinks);
  const reachable = useReachable();
  const [stopped, setStopped] = useState<Outcome>();
  return (
    <Card className={styles.card}>
      <h2 className={styles.heading}>Shared chats</h2>
      <p className={styles.quiet}>
        Everyone with a link can read its copy of the chat until it expires. At most {MAX_LINKS} links at a time.
      </p>
      {!links && !reachable && <p className={styles.quiet}>Connect to see and stop your links.</p>}
      {!links && reachable && error === undefined && <SkeletonRows count={1} />}
      {!links && reachable && error !== undefined && (
        <>
          <p className={styles.failed} role="alert">
            Your links could not be loaded. {errorMessage(error)}
          </p>
          <Button variant="secondary" onClick={reload}>
            Try again
          </Button>
        </>
      )}
      {stopped && <OutcomeNote outcome={stopped} onClose={() => setStopped(undefined)} />}
      {links?.length === 0 && <p>You share no chat. The menu of a chat has “Share…”.</p>}
      {links && links.length > 0 && (
        <LinkList
          label="Shared chats"
          links={links}
          withTitles
          onStopped={(gone) => {
            change(links.filter(({ id }) => id !== gone.id));
            setStopped({ ...STOPPED });
          }}
        />
      )}
    </Card>
  );
}
