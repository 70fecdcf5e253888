import { useEffect } from 'react';
import { history } from '#client/platform/router/history.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import styles from './form-success.module.css';

/** ms (spec §9). */
const SHOWN = 2_000;

/** What the server said when all went well, for two seconds; then the login page. */
export function FormSuccess({ children }: { children: string }) {
  useEffect(() => {
    const leave = setTimeout(() => history.replace('/login'), SHOWN);
    return () => clearTimeout(leave);
  }, []);
  return (
    <div className={styles.success} role="status">
      <Icon name="check" size={20} />
      <p>{children}</p>
    </div>
  );
}
