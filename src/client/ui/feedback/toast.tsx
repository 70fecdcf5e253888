import { useEffect, useRef } from 'react';
import styles from './toast.module.css';

interface Toast {
  id: number;
  message: string;
}

const SHOWN_MS = 4_000;

interface ToastsProps {
  toasts: readonly Toast[];
  /** Called when a toast has been shown for four seconds. */
  onExpire: (id: number) => void;
}

/** Shows toasts. Render it once, at the root. */
export const Toasts = ({ toasts, onExpire }: ToastsProps) => (
  <div className={styles.toasts} role="status">
    {toasts.map((toast) => (
      <ToastLine key={toast.id} {...toast} onExpire={onExpire} />
    ))}
  </div>
);

function ToastLine({ id, message, onExpire }: Toast & Pick<ToastsProps, 'onExpire'>) {
  const expire = useRef(onExpire);
  expire.current = onExpire;
  useEffect(() => {
    const timer = setTimeout(() => expire.current(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return <p className={styles.toast}>{message}</p>;
}
