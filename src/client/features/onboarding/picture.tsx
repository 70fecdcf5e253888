import type { ReactNode } from 'react';
import styles from './picture.module.css';

/** The frame of an onboarding drawing: 320 × 260, decorative. */
export const Picture = ({ children }: { children: ReactNode }) => (
  <svg className={styles.picture} viewBox="0 0 320 260" width="320" height="260" aria-hidden="true">
    {children}
  </svg>
);

/** Classes for strokes and fills in the theme's colors. */
export const { accent, dashed, faint, ground, onSolid, soft, solid } = styles;
