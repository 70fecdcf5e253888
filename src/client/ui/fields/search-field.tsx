import { type ComponentProps, useRef } from 'react';
import { IconButton } from '../buttons/button.tsx';
import { Icon } from '../graphics/icon.tsx';
import styles from './search-field.module.css';

interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'type'> {
  /** For screen readers; the placeholder and the icon show the same. */
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A search box with a clear button while it has text. */
export function SearchField({ label, value, onChange, ...input }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    field.current?.focus();
  };
  return (
    <div className={styles.box}>
      <Icon name="search" size={20} />
      <input
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
        {...input}
        ref={field}
        type="search"
        className={styles.input}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {value && <IconButton label="Clear search" icon="close" className={styles.clear} onClick={clear} />}
    </div>
  );
}
