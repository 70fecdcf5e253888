import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Spinner } from '../feedback/spinner.tsx';
import { Icon, type IconName } from '../graphics/icon.tsx';
import styles from './button.module.css';

interface Look {
  variant?: 'primary' | 'secondary' | 'ghost' | 'ghostDanger' | 'danger' | undefined;
  icon?: IconName | undefined;
  /** Makes the button as wide as its container. */
  block?: boolean | undefined;
}

const look = ({ variant = 'primary', block }: Look, className?: string) =>
  classes(styles.button, styles[variant], block && styles.block, className);

const content = (icon: IconName | undefined, children: ReactNode) => (
  <span className={styles.content}>
    {icon && <Icon name={icon} size={20} />}
    {children}
  </span>
);

interface ButtonProps extends ComponentProps<'button'>, Look {
  /** Shows a spinner and ignores clicks, but keeps the width and the focus. */
  busy?: boolean | undefined;
}

export function Button({ variant, icon, block, busy = false, className, children, onClick, type = 'button', ...button }: ButtonProps) {
  // aria-disabled, because `disabled` loses the focus. Enter in a form clicks its submit button too.
  const click = (event: MouseEvent<HTMLButtonElement>) => (busy ? event.preventDefault() : onClick?.(event));
  return (
    <button
      {...button}
      type={type}
      className={look({ variant, block }, className)}
      onClick={click}
      {...(busy && { 'aria-busy': true, 'aria-disabled': true })}
    >
      {content(icon, children)}
      {busy && (
        <span className={styles.spinner}>
          <Spinner />
        </span>
      )}
    </button>
  );
}

interface ButtonLinkProps extends ComponentProps<'a'>, Look {
  href: string;
}

/** A link that looks like a button. */
export const ButtonLink = ({ variant, icon, block, className, children, ...link }: ButtonLinkProps) => (
  <a {...link} className={look({ variant, block }, className)}>
    {content(icon, children)}
  </a>
);

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** What the button does, for screen readers. */
  label: string;
  icon: IconName;
}

/** A button with an icon only, in a 44 px target. */
export const IconButton = ({ label, icon, className, type = 'button', ...button }: IconButtonProps) => (
  <button {...button} type={type} aria-label={label} className={classes(styles.iconButton, className)}>
    <Icon name={icon} />
  </button>
);

interface IconLinkProps extends Omit<ComponentProps<'a'>, 'children'> {
  href: string;
  label: string;
  icon: IconName;
}

/** A link that looks like an `IconButton`. */
export const IconLink = ({ label, icon, className, href, ...link }: IconLinkProps) => (
  <a {...link} href={href} aria-label={label} className={classes(styles.iconButton, className)}>
    <Icon name={icon} />
  </a>
);
