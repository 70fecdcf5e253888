import type { ReactNode } from 'react';
import { Icon } from '../graphics/icon.tsx';
import styles from './form-error.module.css';

/** What the server, or the missing connection, said to a form. */
export const FormError = ({ children }: { children: ReactNode }) => (
  <div className={styles.error} role="alert">
    <Icon name="warning" size={20} />
    <p>{children}</p>
  </div>
);
