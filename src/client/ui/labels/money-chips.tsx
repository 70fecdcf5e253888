import { MONEY_NAMES, type Money } from '#domain/bots/bot-money.ts';
import { COINS, FLASK } from '../graphics/drawings.ts';
import { Icon } from '../graphics/icon.tsx';
import { Chip } from './chip.tsx';
import styles from './money-chips.module.css';

interface MoneyChipsProps {
  money: Money;
  /** How much faster than life the market runs; null on a real one. */
  speed?: number | null;
}

/** What money this is about, by word, sign and colour, wherever a bot or its figures show. */
export const MoneyChips = ({ money, speed = null }: MoneyChipsProps) => (
  <>
    {money === 'live' ? (
      <span className={styles.live}>
        <Icon name={COINS} size={16} />
        {MONEY_NAMES.live}
      </span>
    ) : (
      <Chip tone={money === 'paper' ? 'warn' : 'info'}>
        <Icon name={FLASK} size={16} />
        {MONEY_NAMES[money]}
      </Chip>
    )}
    {speed !== null && speed !== 1 && <Chip tone="warn">Replay ×{speed}</Chip>}
  </>
);
