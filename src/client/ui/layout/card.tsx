import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { LOCK } from '../graphics/drawings.ts';
import { Icon, type IconName } from '../graphics/icon.tsx';
import styles from './card.module.css';

/** A raised surface for related content. */
export const Card = ({ className, ...card }: ComponentProps<'div'>) => <div {...card} className={classes(styles.card, className)} />;

interface LinkCardProps {
  /** Without it, the card is not a link. */
  href: string | undefined;
  icon: IconName;
  title: ReactNode;
  text: ReactNode;
  /** Grays the card out and shows a lock. The text says why. */
  disabled?: boolean | undefined;
}

/** A card that is a link as a whole. */
export function LinkCard({ href, icon, title, text, disabled = false }: LinkCardProps) {
  const content = (
    <>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.text}>{text}</span>
      </span>
      <span className={styles.end}>
        <Icon name={disabled ? LOCK : 'chevron-right'} size={20} />
      </span>
    </>
  );
  const look = classes(styles.card, styles.link, disabled && styles.disabled);
  if (href === undefined) return <div className={look}>{content}</div>;
  return (
    <a className={look} href={href}>
      {content}
    </a>
  );
}
