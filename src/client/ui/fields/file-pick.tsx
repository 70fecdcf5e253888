import type { ComponentProps, ReactNode } from 'react';
import { IMAGE } from '#client/ui/graphics/drawings.ts';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../graphics/icon.tsx';
import styles from './file-pick.module.css';

interface FilePickProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  id: string;
  /** The label. */
  children: ReactNode;
  icon?: IconName;
}

/** A button that opens the system's file picker, for pictures by default. */
export const FilePick = ({ children, icon = IMAGE, ...input }: FilePickProps) => (
  <>
    <input {...input} type="file" className={classes('sr-only', styles.input)} />
    <label className={styles.pick} htmlFor={input.id}>
      <Icon name={icon} size={20} />
      {children}
    </label>
  </>
);
