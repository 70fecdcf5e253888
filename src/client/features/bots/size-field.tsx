import type { ComponentProps } from 'react';
import { TextField } from '#client/ui/fields/field.tsx';
import { sizeFilter } from '#domain/format/input-filters.ts';
import styles from './size-field.module.css';

interface SizeFieldProps extends Omit<ComponentProps<typeof TextField>, 'inputMode' | 'trailing' | 'onChange'> {
  /** Hears of the digits that are left of what was typed. */
  onChange: (size: string) => void;
}

/** A position size or an investment, whole USD. */
export const SizeField = ({ onChange, ...field }: SizeFieldProps) => (
  <TextField
    {...field}
    inputMode="numeric"
    trailing={<span className={styles.unit}>USD</span>}
    onChange={(event) => onChange(sizeFilter(event.target.value))}
  />
);
