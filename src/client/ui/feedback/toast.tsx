import { useEffect, useSyncExternalStore } from 'react';
import styles from './toast.module.css';

interface Toast {
  id: number;
  message: string;
}

const SHOWN_MS = 4_000;
const MOST = 3;

let shown: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]) {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Says something for four seconds that may be missed. What must be read does not belong here. */
export function toast(message: string): void {
  lastId += 1;
  set([...shown, { id: lastId, message }].slice(-MOST));
}

/** Where toasts appear; once, at the root. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <div className={styles.toasts} role="status">
      {toasts.map((each) => (
        <ToastLine key={each.id} {...each} />
      ))}
    </div>
  );
}

function ToastLine({ id, message }: Toast) {
  useEffect(() => {
    const end = setTimeout(() => set(shown.filter((each) => each.id !== id)), SHOWN_MS);
    return () => clearTimeout(end);
  }, [id]);
  return <p className={styles.toast}>{message}</p>;
}
