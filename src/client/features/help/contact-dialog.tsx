import { type ReactNode, useState } from 'react';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import styles from './contact-dialog.module.css';
import type { ContactKind } from './contact-draft.ts';
import { ContactForm, type Sender } from './contact-form.tsx';
import { Delivery } from './delivery.tsx';

interface ContactDialogProps {
  kind: ContactKind;
  title: string;
  sender: Sender;
  onClose: () => void;
  /** Text above the form. */
  children?: ReactNode;
}

/** The form for a message to support, then its delivery status. */
export function ContactDialog({ kind, title, sender, onClose, children }: ContactDialogProps) {
  const [written, setWritten] = useState<string>();
  if (written !== undefined) return <Delivery id={written} userId={sender.userId} title={title} onClose={onClose} />;
  return (
    <Dialog open title={title} onClose={onClose}>
      <div className={styles.content}>
        {children}
        <ContactForm kind={kind} sender={sender} onWritten={setWritten} />
      </div>
    </Dialog>
  );
}
