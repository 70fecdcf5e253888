import type { ReactNode } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import styles from './tile.module.css';

interface TileProps {
  href: string;
  label: string;
  /** Undefined while unknown: a dash shows. */
  value: ReactNode;
  /** What the value is about, in one line. */
  detail: ReactNode;
  isLoading?: boolean;
}

/** A figure with its name, as a link to where it comes from. Its height never changes. */
export const Tile = ({ href, label, value, detail, isLoading }: TileProps) => (
  <a className={styles.tile} href={href}>
    <span className={styles.label}>{label}</span>
    <span className={styles.value}>{isLoading ? <Skeleton width="70%" height={20} /> : (value ?? '–')}</span>
    <span className={styles.detail}>{isLoading ? <Skeleton width="50%" height={12} /> : detail}</span>
  </a>
);
