import styles from './logo.module.css';

const WAVE = 'M-2 40C3.5 46.5 13 48.5 20 43S32 21 41 18.5 58 22.5 66 33';

interface LogoProps {
  /** The product's name. */
  name: string;
  /** px */
  size?: number;
  /** Shows the name beside the mark. */
  wordmark?: boolean;
}

/** Draws the product's mark: a wave crossing a level line. */
export function Logo({ name, size = 32, wordmark = false }: LogoProps) {
  return (
    <span className={styles.logo}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: it has a label, or the name beside it */}
      <svg
        className={styles.mark}
        width={size}
        height={size}
        viewBox="0 0 64 64"
        fill="none"
        {...(wordmark ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
      >
        <path fill="#0f1a2e" d="M0 0h64v64H0z" />
        <path fill="#35c5d6" fillOpacity=".2" d={`${WAVE}V66H-2Z`} />
        <path stroke="#e8eefc" strokeWidth="3" strokeLinecap="round" d="M13 31.5h38" />
        <path stroke="#35c5d6" strokeWidth="5.5" d={WAVE} />
      </svg>
      {wordmark && <span className={styles.word}>{name}</span>}
    </span>
  );
}
