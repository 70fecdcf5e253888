import { MAX_LEVERAGE, MIN_LEVERAGE } from '#domain/bots/bot-figures.ts';
import styles from './leverage-slider.module.css';

interface LeverageSliderProps {
  value: number;
  onChange: (leverage: number) => void;
}

/** Chooses the leverage of the profit estimate. */
export const LeverageSlider = ({ value, onChange }: LeverageSliderProps) => (
  <label className={styles.slider}>
    <span className={styles.label}>
      Leverage <output>{value}x</output>
    </span>
    <input
      type="range"
      min={MIN_LEVERAGE}
      max={MAX_LEVERAGE}
      step={1}
      value={value}
      aria-valuetext={`${value}x`}
      onChange={(event) => onChange(Number(event.target.value))}
    />
    <span className={styles.ends} aria-hidden="true">
      <span>{MIN_LEVERAGE}x</span>
      <span>{MAX_LEVERAGE}x</span>
    </span>
  </label>
);
