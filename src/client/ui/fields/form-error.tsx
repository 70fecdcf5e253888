import type { ReactNode } from 'react';
import { Icon } from '../graphics/icon.tsx';
import styles from './form-error.module.css';

/** Shows why a form could not be submitted. */
export const FormError = ({ children }: { children: ReactNode }) => (
  <div className={styles.error} role="alert">
    <Icon name="warning" size={20} />
    <p>{children}</p>
  </div>
);
