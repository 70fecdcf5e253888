import { useState } from 'react';
import { useLive } from '#client/platform/cache/use-live.ts';
import { type ContactRow, type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { discardContact, retryContact } from '#client/platform/outbox/contacts.ts';
import { sendContacts } from '#client/platform/outbox/send-contacts.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { Skeleton } from '#client/ui/feedback/skeleton.tsx';
import { REFRESH } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Chip } from '#client/ui/labels/chip.tsx';
import { ConfirmDialog } from '#client/ui/overlays/dialog.tsx';
import { formatCount } from '#domain/format/format-count.ts';
import { formatDateTime } from '#domain/format/format-date.ts';
import styles from './my-messages.module.css';
import { useSending } from './use-sending.ts';

/** The messages to support written on this device, newest first, with their status. */
export function MyMessages({ userId }: { userId: string }) {
  const db = userDb(userId);
  const rows = useLive(`${db.name}/contacts`, () => db.contacts.orderBy('createdAt').reverse().toArray());
  const [discarding, setDiscarding] = useState<string>();
  const discard = () => {
    if (discarding !== undefined) void discardContact(db, discarding);
    setDiscarding(undefined);
  };
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>Your messages</h2>
      {rows === undefined && <Skeleton height={72} radius={12} />}
      {rows?.length === 0 && <p className={styles.none}>Your messages and their status appear here.</p>}
      {rows && rows.length > 0 && (
        <ul className={styles.list}>
          {rows.map((row) => (
            <li key={row.id}>
              <Message db={db} row={row} onDiscard={() => setDiscarding(row.id)} />
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={discarding !== undefined}
        title="Discard message"
        confirm="Discard"
        danger
        onConfirm={discard}
        onClose={() => setDiscarding(undefined)}
      >
        The message and its images are removed from this device and never sent.
      </ConfirmDialog>
    </section>
  );
}

function Message({ db, row, onDiscard }: { db: UserDb; row: ContactRow; onDiscard: () => void }) {
  const { id, kind, message, files, createdAt, sentAt, refused } = row;
  const share = useSending(id);
  const failed = sentAt === null && refused !== undefined;
  const again = async () => {
    await retryContact(db, id);
    sendContacts();
  };
  return (
    <article className={styles.message}>
      <header className={styles.top}>
        <span className={styles.kind}>{kind === 'deletion' ? 'User Deletion' : 'Message'}</span>
        <State row={row} sending={share !== undefined} />
      </header>
      <p className={styles.text}>{message}</p>
      <p className={styles.facts}>
        <time dateTime={new Date(createdAt).toISOString()}>{formatDateTime(createdAt)}</time>
        {files > 0 && ` · ${formatCount(files, 'image')}`}
      </p>
      {share !== undefined && <Progress aria-label="Progress" value={share} />}
      {failed && (
        <>
          <p className={styles.reason}>{refused}</p>
          <div className={styles.actions}>
            <Button variant="secondary" icon={REFRESH} onClick={again}>
              Retry
            </Button>
            <Button variant="ghost" onClick={onDiscard}>
              Discard
            </Button>
          </div>
        </>
      )}
    </article>
  );
}

function State({ row: { sentAt, refused }, sending }: { row: ContactRow; sending: boolean }) {
  if (sentAt !== null) {
    return (
      <Chip tone="up">
        <Icon name="check" size={16} />
        Sent
      </Chip>
    );
  }
  if (sending) return <Chip>Sending</Chip>;
  if (refused !== undefined) {
    return (
      <Chip tone="down">
        <Icon name="warning" size={16} />
        Failed
      </Chip>
    );
  }
  return (
    <Chip tone="warn">
      <Icon name="clock" size={16} />
      Waiting
    </Chip>
  );
}
