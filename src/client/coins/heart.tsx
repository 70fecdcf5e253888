import { Icon } from '../ui/graphics/icon.tsx';
import styles from './heart.module.css';

interface HeartProps {
  /** Of the coin. */
  name: string;
  watched: boolean;
  /** The server has yet to hear of it, and cannot. */
  waiting: boolean;
  onToggle: (watched: boolean) => void;
}

/** Puts a coin into the watchlist and takes it out (spec §2, coin details). */
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

/** Marks a coin of another list as watched. */
export const HeartMark = () => (
  <span className={styles.mark}>
    <Icon name="heart-filled" size={14} />
    <span className="sr-only"> in your watchlist</span>
  </span>
);
