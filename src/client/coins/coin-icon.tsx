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

/** How many sources of a coin's picture failed, by id. Reset when the connection is back. */
const failed = new Map<number, number>();

interface Source {
  src: string;
  crossOrigin?: 'anonymous';
}

/**
 * Returns where to load a picture from, best first. The worker caches only responses that CORS lets it read; without
 * CORS, the picture shows online only.
 */
function sources(id: number): Source[] {
  const remote = remoteCoinImage(id);
  const local = LOCAL_COINS.has(id) ? [{ src: localCoinImage(id) }] : [];
  return [...local, { src: remote, crossOrigin: 'anonymous' }, { src: remote }];
}

/** Returns a hue that differs widely between neighboring ids: steps of the golden angle, in degrees. */
export const coinHue = (id: number): number => Math.round((id * 137.508) % 360);

/** Shows a coin's picture, or its letters until the picture is loaded. Decorative: put the name beside it. */
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
      data-loaded={false}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      // React never writes the attribute again: a hundred loads would render each list a hundred times.
      onLoad={({ currentTarget }) => show(currentTarget)}
      ref={showIfCached}
      onError={() => {
        failed.set(id, attempt + 1);
        setAttempt(attempt + 1);
      }}
    />
  );
}

function show(image: HTMLImageElement) {
  image.dataset.loaded = 'true';
}

/** Shows a picture that the browser already has, such as one of the stored first screen, without waiting for its event. */
const showIfCached = (image: HTMLImageElement | null) => {
  if (image?.complete && image.naturalWidth > 0) show(image);
};

const letters = (symbol: string, name: string): string =>
  [...(symbol.replace(/[^\p{L}\p{N}]/gu, '') || name)].slice(0, 3).join('').toUpperCase();
