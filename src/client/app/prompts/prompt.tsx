import type { ReactNode } from 'react';
import { Icon, type IconName } from '#client/ui/graphics/icon.tsx';
import styles from './prompt.module.css';

interface PromptProps {
  icon: IconName;
  title: string;
  text: string;
  /** Buttons, the most important last. */
  actions: ReactNode;
}

/** Something the app proposes, beside what one is doing and never over it. */
export const Prompt = ({ icon, title, text, actions }: PromptProps) => (
  <section className={styles.prompt} aria-label={title}>
    <Icon name={icon} />
    <p className={styles.title}>{title}</p>
    <p className={styles.text}>{text}</p>
    <div className={styles.actions}>{actions}</div>
  </section>
);
