import type { ComponentProps } from 'react';
import { TextField } from '#client/ui/fields/field.tsx';
import { sizeFilter } from '#domain/format/input-filters.ts';
import styles from './size-field.module.css';

interface SizeFieldProps extends Omit<ComponentProps<typeof TextField>, 'inputMode' | 'trailing' | 'onChange'> {
  /** Receives the digits of what was typed. */
  onChange: (size: string) => void;
}

/** A field for a position size or an investment, in whole USD. */
export const SizeField = ({ onChange, ...field }: SizeFieldProps) => (
  <TextField
    {...field}
    inputMode="numeric"
    trailing={<span className={styles.unit}>USD</span>}
    onChange={(event) => onChange(sizeFilter(event.target.value))}
  />
);
