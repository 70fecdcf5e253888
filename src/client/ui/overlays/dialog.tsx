import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '../buttons/button.tsx';
import { classes } from '../classes.ts';
import styles from './dialog.module.css';

interface DialogProps {
  open: boolean;
  /** Asked for by Escape, the backdrop or the close button; the owner then sets `open`. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons, the most important last. */
  actions?: ReactNode;
  /** `side`: as high as the window, along its right edge. */
  placement?: 'side' | undefined;
}

/**
 * A modal: a sheet from below on phones, centred above. The focus goes to an element marked `data-autofocus`,
 * else to the first control, and back to where it was when the dialog closes.
 */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <Modal {...rest} /> : null;
}

function Modal({ onClose, title, children, actions, placement }: Omit<DialogProps, 'open'>) {
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOutside = useRef(false);

  useLayoutEffect(() => {
    const modal = dialog.current;
    modal?.showModal();
    modal?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    // Closing before it leaves the page is what lets the browser give the focus back.
    return () => modal?.close();
  }, []);

  // Both events also bubble up from file inputs and inner dialogs, which is not this one closing.
  const cancel = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    onClose();
  };
  const closed = (event: SyntheticEvent) => {
    if (event.target === dialog.current) onClose();
  };
  // A drag that starts on text inside and ends outside is no wish to close.
  const press = (event: MouseEvent) => {
    pressedOutside.current = event.target === dialog.current;
  };
  const click = (event: MouseEvent) => {
    if (pressedOutside.current && event.target === dialog.current) onClose();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own key for it
    <dialog
      ref={dialog}
      className={classes(styles.dialog, placement === 'side' && styles.side)}
      aria-labelledby={heading}
      onCancel={cancel}
      onClose={closed}
      onMouseDown={press}
      onClick={click}
    >
      <div className={styles.sheet}>
        <header className={styles.header}>
          <h2 id={heading}>{title}</h2>
          <IconButton label="Close" icon="close" onClick={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {actions && <footer className={styles.actions}>{actions}</footer>}
      </div>
    </dialog>
  );
}

interface ConfirmDialogProps extends Omit<DialogProps, 'actions'> {
  /** The action's own word, on the button that does it. */
  confirm: string;
  onConfirm: () => void;
  /** Something will be lost. */
  danger?: boolean | undefined;
  busy?: boolean | undefined;
}

/** Asks once before something is done; the children say what will be lost. */
export function ConfirmDialog({ confirm, onConfirm, danger, busy, ...dialog }: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      actions={
        <>
          <Button variant="secondary" onClick={dialog.onClose} data-autofocus>
            Cancel
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} onClick={onConfirm} busy={busy}>
            {confirm}
          </Button>
        </>
      }
    />
  );
}
