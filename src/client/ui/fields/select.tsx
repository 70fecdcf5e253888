import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import styles from './select.module.css';
import { type MatchesLabel, SelectList, type SelectOption } from './select-list.tsx';

interface SelectProps<T extends string | number> {
  label: string;
  value: T;
  options: readonly SelectOption<T>[];
  onChange: (value: T) => void;
  /** Shows a search box above the options, for long lists, and decides which labels match the query. */
  search?: MatchesLabel | undefined;
  /** A pill for toolbars. Its label is for screen readers only. */
  compact?: boolean | undefined;
  disabled?: boolean | undefined;
}

const OPENING_KEYS = ['ArrowDown', 'ArrowUp', 'Home', 'End'];

/** A button with the selected option. It opens a list on top of the page. */
export function Select<T extends string | number>({ label, value, options, onChange, search, compact, disabled }: SelectProps<T>) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hadFocusInside = useRef(false);
  const chosen = options.find((option) => option.value === value);

  // Closing removes the list and its focus: return it to the button.
  useLayoutEffect(() => {
    if (!open && hadFocusInside.current) button.current?.focus();
    hadFocusInside.current = false;
  }, [open]);

  const close = (returnFocus: boolean) => {
    hadFocusInside.current = returnFocus;
    setOpen(false);
  };
  const choose = (next: T) => {
    close(true);
    if (next !== value) onChange(next);
  };
  const openByKey = (event: KeyboardEvent) => {
    if (open || !OPENING_KEYS.includes(event.key)) return;
    event.preventDefault();
    setOpen(true);
  };

  return (
    <div className={classes(styles.select, compact && styles.compact)}>
      <span className={compact ? 'sr-only' : styles.label} id={`${id}-label`}>
        {label}
      </span>
      <button
        ref={button}
        type="button"
        className={styles.button}
        id={`${id}-button`}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-labelledby={`${id}-label ${id}-button`}
        disabled={disabled}
        onClick={() => (open ? close(true) : setOpen(true))}
        // Keeps the focus in the open list. Losing it would close the list, and the click would reopen it.
        onMouseDown={(event) => open && event.preventDefault()}
        onKeyDown={openByKey}
      >
        <span className={styles.value}>{chosen?.label ?? '–'}</span>
        <Icon name="chevron-down" size={compact ? 16 : 20} />
      </button>
      {open && <SelectList id={id} anchor={button} value={value} options={options} matches={search} onChoose={choose} onClose={close} />}
    </div>
  );
}
