import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import styles from './choose-coin.module.css';

/** Fills the details pane until a coin is selected. */
export const ChooseCoin = () => (
  <div className={styles.place}>
    <EmptyState title="Choose a coin to see its figures." />
  </div>
);
