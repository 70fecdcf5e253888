import { Icon, type IconName } from '../graphics/icon.tsx';
import styles from './floating-link.module.css';

interface FloatingLinkProps {
  href: string;
  label: string;
  icon: IconName;
}

/** The page's one floating action, above the tab bar. Put it last on the page: it reserves room below the content. */
export const FloatingLink = ({ href, label, icon }: FloatingLinkProps) => (
  <div className={styles.room}>
    <a className={styles.fab} href={href}>
      <Icon name={icon} size={20} />
      {label}
    </a>
  </div>
);
