import type { ComponentProps } from 'react';
import { TextField } from '#client/ui/fields/field.tsx';
import { sizeFilter } from '#domain/format/input-filters.ts';
import styles from './size-field.module.css';

interface SizeFieldProps extends Omit<ComponentProps<typeof TextField>, 'inputMode' | 'trailing' | 'onChange'> {
  unit?: 'USD' | '%';
  /** Receives the digits of what was typed. */
  onChange: (size: string) => void;
}

/** A field for a position size or an investment in whole USD, or for a whole percentage. */
export const SizeField = ({ onChange, unit = 'USD', ...field }: SizeFieldProps) => (
  <TextField
    {...field}
    inputMode="numeric"
    trailing={<span className={styles.unit}>{unit}</span>}
    onChange={(event) => onChange(sizeFilter(event.target.value))}
  />
);
