import { useEffect } from 'react';
import { history } from '#client/platform/router/history.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import styles from './form-success.module.css';

const SHOWN_MS = 2_000;

/** Shows the server's success message, then opens the login page. */
export function FormSuccess({ children }: { children: string }) {
  useEffect(() => {
    const leave = setTimeout(() => history.replace('/login'), SHOWN_MS);
    return () => clearTimeout(leave);
  }, []);
  return (
    <div className={styles.success} role="status">
      <Icon name="check" size={20} />
      <p>{children}</p>
    </div>
  );
}
