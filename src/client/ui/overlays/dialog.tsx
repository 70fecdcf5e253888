import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { Button, IconButton } from '../buttons/button.tsx';
import { classes } from '../classes.ts';
import styles from './dialog.module.css';
import { openModal } from './open-modal.ts';

interface DialogProps {
  open: boolean;
  /** Called on Escape, the backdrop or the close button. The owner then sets `open` to false. */
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** Buttons, with the most important last. */
  actions?: ReactNode;
  /** `side`: full height, at the right edge of the window. */
  placement?: 'side' | undefined;
}

/**
 * A modal dialog: a bottom sheet on phones, centered on larger screens. Focuses the element with `data-autofocus`, else
 * the first control, and returns the focus when it closes.
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
    if (!modal) return;
    // The browser returns the focus only if the dialog closes before it leaves the page.
    const close = openModal(modal);
    modal.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return close;
  }, []);

  // Both events also bubble up from file inputs and inner dialogs: ignore those.
  const cancel = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    onClose();
  };
  const closed = (event: SyntheticEvent) => {
    if (event.target === dialog.current) onClose();
  };
  // A drag that starts inside and ends outside must not close the dialog.
  const press = (event: MouseEvent) => {
    pressedOutside.current = event.target === dialog.current;
  };
  const click = (event: MouseEvent) => {
    if (pressedOutside.current && event.target === dialog.current) onClose();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog element handles Escape
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
  /** Label of the confirm button: the action's own word. */
  confirm: string;
  onConfirm: () => void;
  /** The action loses data. */
  danger?: boolean | undefined;
  busy?: boolean | undefined;
}

/** Asks for confirmation. The children say what will be lost. */
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
