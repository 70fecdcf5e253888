import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import styles from './file-pick.module.css';

interface FilePickProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  id: string;
  /** The label. */
  children: ReactNode;
}

/** A button that opens the system's picture picker. */
export const FilePick = ({ children, ...input }: FilePickProps) => (
  <>
    <input {...input} type="file" className={classes('sr-only', styles.input)} />
    <label className={styles.pick} htmlFor={input.id}>
      <Icon name="image" size={20} />
      {children}
    </label>
  </>
);
