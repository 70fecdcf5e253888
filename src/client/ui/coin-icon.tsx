import { type CSSProperties, useEffect, useState } from 'react';
import styles from './coin-icon.module.css';

interface CoinIconProps {
  /** CoinMarketCap's id. */
  id: number;
  name: string;
  symbol: string;
  /** px */
  size?: number;
}

/** Asked for once a session and refused: not asked again before the connection comes back. */
const refused = new Set<number>();

/** Neighbouring ids get colours far apart (the golden angle, in degrees). */
export const coinHue = (id: number): number => Math.round((id * 137.508) % 360);

/** The coin's picture over its letters, which show at once and whenever there is no picture. Decorative: the name is beside it. */
export function CoinIcon({ id, name, symbol, size = 32 }: CoinIconProps) {
  return (
    <span className={styles.coin} style={{ '--size': `${size}px`, '--hue': coinHue(id) } as CSSProperties} aria-hidden="true">
      {letters(symbol, name)}
      <CoinImage key={id} id={id} size={size} />
    </span>
  );
}

function CoinImage({ id, size }: { id: number; size: number }) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(refused.has(id) ? 'failed' : 'loading');

  useEffect(() => {
    if (state !== 'failed') return;
    const retry = () => {
      refused.delete(id);
      setState('loading');
    };
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [id, state]);

  if (state === 'failed') return null;
  return (
    <img
      className={styles.image}
      data-loaded={state === 'loaded'}
      src={`https://s2.coinmarketcap.com/static/img/coins/64x64/${id}.png`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onLoad={() => setState('loaded')}
      onError={() => {
        refused.add(id);
        setState('failed');
      }}
    />
  );
}

const letters = (symbol: string, name: string): string =>
  [...(symbol.replace(/[^\p{L}\p{N}]/gu, '') || name)].slice(0, 3).join('').toUpperCase();
