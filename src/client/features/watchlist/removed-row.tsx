import { Button } from '#client/ui/buttons/button.tsx';
import styles from './removed-row.module.css';

interface RemovedRowProps {
  /** The coin's name. */
  name: string;
  onUndo: () => void;
}

/** Takes the place of a removed coin, with Undo. It stays until the user leaves the list. */
export const RemovedRow = ({ name, onUndo }: RemovedRowProps) => (
  <li className={styles.row}>
    <p className={styles.text}>
      <bdi>{name}</bdi> removed
    </p>
    <Button variant="ghost" onClick={onUndo} aria-label={`Undo removing ${name}`}>
      Undo
    </Button>
  </li>
);
