import { COINS, FLASK } from '../graphics/drawings.ts';
import { Icon } from '../graphics/icon.tsx';
import { Chip } from './chip.tsx';

const TONES = { paper: 'warn', testnet: 'info', live: 'alert' } as const;

type Money = keyof typeof TONES;

interface MoneyChipsProps {
  money: Money;
  names: Readonly<Record<Money, string>>;
  /** How many times faster than real time the market runs; null for a real market. */
  speed?: number | null;
}

/** Shows by word, icon and color whether a bot trades real money. */
export const MoneyChips = ({ money, names, speed = null }: MoneyChipsProps) => (
  <>
    <Chip tone={TONES[money]}>
      <Icon name={money === 'live' ? COINS : FLASK} size={16} />
      {names[money]}
    </Chip>
    {speed !== null && speed !== 1 && <Chip tone="warn">Replay ×{speed}</Chip>}
  </>
);
