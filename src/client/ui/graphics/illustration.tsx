import styles from './illustration.module.css';

/** The paths of a drawing; the second has the accent color. */
export type Drawing = readonly [string, string];

// The others are in scenes.ts, so that the first screen does not load them.
export const CALM: Drawing = ['M14 38h92M24 78h72M38 90h44', 'M8 60c14 14 26 14 38 0s24-22 36-14 18 14 30 8'];
export const TROUBLE: Drawing = ['M60 16 108 98H12Z', 'M60 46v20M60 80v.1'];

/** A decorative line drawing for an empty page or an error, 120 px wide. */
export const Illustration = ({ drawing }: { drawing: Drawing }) => (
  <svg className={styles.illustration} width="120" height="112" viewBox="0 0 120 112" aria-hidden="true">
    <path d={drawing[0]} />
    <path className={styles.accent} d={drawing[1]} />
  </svg>
);
