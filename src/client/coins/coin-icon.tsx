import { type CSSProperties, useEffect, useState } from 'react';
import { localCoinImage, remoteCoinImage } from '#contract/market/coin-images.ts';
import styles from './coin-icon.module.css';
import { LOCAL_COINS } from './local-coins.ts';

interface CoinIconProps {
  /** CoinMarketCap's id. */
  id: number;
  name: string;
  symbol: string;
  /** px */
  size?: number;
}

/** How far down its sources a coin's picture has failed in this session. All over again when the connection comes back. */
const failed = new Map<number, number>();

interface Source {
  src: string;
  crossOrigin?: 'anonymous';
}

/**
 * Where to look for a picture, best first. The worker keeps only what it can read, which the provider has to allow;
 * where it does not, the picture still shows while there is a connection.
 */
function sources(id: number): Source[] {
  const remote = remoteCoinImage(id);
  const local = LOCAL_COINS.has(id) ? [{ src: localCoinImage(id) }] : [];
  return [...local, { src: remote, crossOrigin: 'anonymous' }, { src: remote }];
}

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
  const [attempt, setAttempt] = useState(failed.get(id) ?? 0);
  const [loaded, setLoaded] = useState(false);
  const source = sources(id)[attempt];

  useEffect(() => {
    if (source) return;
    const retry = () => {
      failed.delete(id);
      setAttempt(0);
    };
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [id, source]);

  if (!source) return null;
  return (
    <img
      key={attempt}
      {...source}
      className={styles.image}
      data-loaded={loaded}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onLoad={() => setLoaded(true)}
      onError={() => {
        failed.set(id, attempt + 1);
        setAttempt(attempt + 1);
      }}
    />
  );
}

const letters = (symbol: string, name: string): string =>
  [...(symbol.replace(/[^\p{L}\p{N}]/gu, '') || name)].slice(0, 3).join('').toUpperCase();
