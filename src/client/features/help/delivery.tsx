import { useLive } from '#client/platform/cache/use-live.ts';
import { type ContactRow, userDb } from '#client/platform/db/user-db.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import type { Share } from '#client/platform/outbox/send-progress.ts';
import { history } from '#client/platform/router/history.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Icon } from '#client/ui/graphics/icon.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import styles from './delivery.module.css';
import { useSending } from './use-sending.ts';

interface DeliveryProps {
  id: string;
  userId: string;
  title: string;
  onClose: () => void;
}

/** Delivery status of a new message: sending, sent, queued while offline, or refused. */
export function Delivery({ id, userId, title, onClose }: DeliveryProps) {
  const db = userDb(userId);
  const row = useLive(`${db.name}/contacts/${id}`, () => db.contacts.get(id));
  const share = useSending(id);
  const reachable = useReachable();

  if (row?.refused !== undefined && row.sentAt === null) return <Refusal title={title} reason={row.refused} onClose={onClose} />;
  const waits = row?.sentAt === null && (row.tried === true || !reachable);
  if (!row || (row.sentAt === null && !waits)) {
    return (
      <Dialog open title={title} onClose={onClose}>
        <div className={styles.content} role="status">
          <p>{sentPart(share)}</p>
          <Progress aria-label="Progress" value={share ?? null} />
          <p>You can close this. Your message is saved on this device and will still be sent.</p>
        </div>
      </Dialog>
    );
  }
  return <Thanks row={row} reachable={reachable} onClose={onClose} />;
}

function sentPart(share: Share | undefined): string {
  if (typeof share !== 'number') return 'Sending…';
  return share < 1 ? `Sending… ${Math.floor(share * 100)}%` : 'Waiting for the server to confirm…';
}

/** Thanks the user, and says so if the message is still queued. */
const Thanks = ({ row, reachable, onClose }: { row: ContactRow; reachable: boolean; onClose: () => void }) => (
  <Dialog
    open
    title="Thanks for reaching out!"
    onClose={onClose}
    actions={
      <Button onClick={() => history.push('/home')} data-autofocus>
        Back to Home
      </Button>
    }
  >
    <div className={styles.content} role="status">
      <p>Someone from the support team will review your issue & get back to you as soon as possible. Please keep patience.</p>
      {row.sentAt === null && (
        <p className={styles.waits}>
          <Icon name="clock" size={20} />
          <span>
            {reachable
              ? 'The server cannot take your message right now. It is saved on this device and will be sent later.'
              : 'Your message is saved on this device. It will be sent when you are back online.'}
          </span>
        </p>
      )}
    </div>
  </Dialog>
);

const Refusal = ({ title, reason, onClose }: { title: string; reason: string; onClose: () => void }) => (
  <Dialog
    open
    title={title}
    onClose={onClose}
    actions={
      <Button onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    <div className={styles.content}>
      <FormError>Your message was refused: {reason}</FormError>
      <p>Find it under Your messages in the Help Center to send it again or discard it.</p>
    </div>
  </Dialog>
);
