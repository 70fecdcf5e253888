import { Logo } from '#client/ui/graphics/logo.tsx';
import { PRODUCT } from '#domain/product.ts';
import styles from './tide-panel.module.css';

/** A drawing of the tide beside the forms on wide screens. */
export const TidePanel = () => (
  <div className={styles.panel}>
    <svg className={styles.water} viewBox="0 0 700 800" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <path className={styles.level} d="M0 372h700" />
      <path className={styles.far} d="M-10 470c60-34 110-34 170 0s110 34 170 0 90-92 170-78 90 60 140 34 60-60 80-64v450H-10Z" />
      <path className={styles.near} d="M-10 566c60-40 120-40 190-6s130 40 190-18 84-92 160-84 96 66 180 22v330H-10Z" />
      <path className={styles.line} d="M-10 566c60-40 120-40 190-6s130 40 190-18 84-92 160-84 96 66 180 22" />
      <path className={styles.front} d="M-10 690c70-36 130-36 200 0s140 36 200 0 130-36 200 0 100 30 130 20v110H-10Z" />
    </svg>
    <div className={styles.words}>
      <Logo name={PRODUCT} wordmark size={40} />
      <p className={styles.line1}>Markets, answers and your archive.</p>
      <p className={styles.line2}>Readable with a connection, and without one.</p>
    </div>
  </div>
);
