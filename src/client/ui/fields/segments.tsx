import { useId } from 'react';
import { classes } from '../classes.ts';
import styles from './segments.module.css';

interface SegmentsProps<T extends string> {
  /** For screen readers. */
  label: string;
  value: T;
  /** `name` is what screen readers say instead of the label. */
  options: readonly { value: T; label: string; name?: string | undefined }[];
  onChange: (value: T) => void;
  className?: string | undefined;
}

/** Radio buttons side by side in a pill. */
export function Segments<T extends string>({ label: legend, value: chosen, options, onChange, className }: SegmentsProps<T>) {
  const group = useId();
  return (
    <fieldset className={classes(styles.segments, className)}>
      <legend className="sr-only">{legend}</legend>
      {options.map(({ value, label, name }) => (
        <label key={value} className={styles.segment}>
          <input className="sr-only" type="radio" name={group} checked={value === chosen} onChange={() => onChange(value)} />
          <span aria-hidden={name !== undefined}>{label}</span>
          {name !== undefined && <span className="sr-only">{name}</span>}
        </label>
      ))}
    </fieldset>
  );
}
