import styles from './spinner.module.css';

/** A spinning ring in the color of the text around it. Screen readers ignore it: announce the progress beside it. `size` in px. */
export const Spinner = ({ size = 20 }: { size?: number }) => (
  <span className={styles.spinner} style={{ width: size, height: size }} aria-hidden="true" />
);
