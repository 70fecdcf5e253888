import styles from './spinner.module.css';

/** A turning ring in the colour of the text around it. Silent: whoever shows it says what is going on. `size` in px. */
export const Spinner = ({ size = 20 }: { size?: number }) => (
  <span className={styles.spinner} style={{ width: size, height: size }} aria-hidden="true" />
);
