import type { ComponentProps } from 'react';
import styles from './account-form.module.css';

/** A form of the account pages: its fields below each other, checked by our own rules. */
export const AccountForm = (form: Omit<ComponentProps<'form'>, 'className' | 'noValidate'>) => (
  <form {...form} className={styles.form} noValidate />
);
