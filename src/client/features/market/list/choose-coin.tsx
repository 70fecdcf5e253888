import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import styles from './choose-coin.module.css';

/** What stands beside a list that nothing was chosen from. */
export const ChooseCoin = () => (
  <div className={styles.place}>
    <EmptyState title="Choose a coin to see its figures." />
  </div>
);
