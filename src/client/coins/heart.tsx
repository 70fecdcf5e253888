import { Icon } from '../ui/graphics/icon.tsx';
import styles from './heart.module.css';

interface HeartProps {
  /** The coin's name. */
  name: string;
  watched: boolean;
  /** The change is queued while offline. */
  waiting: boolean;
  onToggle: (watched: boolean) => void;
}

/** A button that adds a coin to the watchlist or removes it. */
export const Heart = ({ name, watched, waiting, onToggle }: HeartProps) => (
  <button
    type="button"
    className={styles.heart}
    aria-pressed={watched}
    aria-label={watched ? `Remove ${name} from watchlist` : `Add ${name} to watchlist`}
    aria-description={waiting ? 'Will be sent once you are online.' : undefined}
    onClick={() => onToggle(!watched)}
  >
    <Icon name={watched ? 'heart-filled' : 'heart'} />
    {waiting && (
      <span className={styles.clock}>
        <Icon name="clock" size={14} />
      </span>
    )}
  </button>
);

/** Marks a coin as in the watchlist. */
export const HeartMark = () => (
  <span className={styles.mark}>
    <Icon name="heart-filled" size={14} />
    <span className="sr-only"> in your watchlist</span>
  </span>
);
