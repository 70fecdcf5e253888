import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fold } from '#domain/text.ts';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import { useAnchoredPopover } from '../overlays/use-anchored-popover.ts';
import styles from './select.module.css';

export interface SelectOption<T extends string | number> {
  value: T;
  label: string;
}

interface SelectListProps<T extends string | number> {
  /** Prefix of the ids; the label is `${id}-label`. */
  id: string;
  anchor: RefObject<HTMLElement | null>;
  value: T;
  options: readonly SelectOption<T>[];
  searchable: boolean;
  onChoose: (value: T) => void;
  onClose: (returnFocus: boolean) => void;
}

/** Letters typed within this time belong to one word. */
const TYPING_PAUSE_MS = 600;

/** The open list of a `Select`: focus stays in the search box or on the list, and `aria-activedescendant` walks. */
export function SelectList<T extends string | number>({ id, anchor, value, options, searchable, onChoose, onClose }: SelectListProps<T>) {
  const [query, setQuery] = useState('');
  const shown = query ? options.filter((option) => fold(option.label).includes(fold(query.trim()))) : options;
  const [active, setActive] = useState(() =>
    Math.max(
      options.findIndex((option) => option.value === value),
      0,
    ),
  );
  const typed = useRef({ text: '', at: 0 });
  const focused = useRef<HTMLInputElement & HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const popover = useAnchoredPopover(anchor);

  useLayoutEffect(() => focused.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const search = (text: string) => {
    setQuery(text);
    setActive(0);
  };

  const jump = (event: KeyboardEvent) => {
    const text = event.timeStamp - typed.current.at < TYPING_PAUSE_MS ? typed.current.text + event.key : event.key;
    typed.current = { text, at: event.timeStamp };
    const found = options.findIndex((option) => fold(option.label).startsWith(fold(text)));
    if (found >= 0) setActive(found);
  };

  const moves: Record<string, number> = {
    ArrowDown: Math.min(active + 1, shown.length - 1),
    ArrowUp: Math.max(active - 1, 0),
    Home: 0,
    End: shown.length - 1,
  };

  const press = (event: KeyboardEvent) => {
    const { key } = event;
    const target = moves[key];
    const option = shown[active];
    if (target !== undefined) setActive(Math.max(target, 0));
    else if (key === 'Escape') onClose(true);
    else if (key === 'Enter' || (key === ' ' && !searchable)) option && onChoose(option.value);
    else if (key === 'Tab')
      return onClose(true); // and the focus goes on from the button
    else if (!searchable && key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) jump(event);
    else return;
    // Handled here: Escape must not close the dialog around this list, nor Enter send its form.
    event.preventDefault();
    event.stopPropagation();
  };

  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) onClose(false);
  };

  const walking = {
    ref: focused,
    onKeyDown: press,
    'aria-activedescendant': shown[active] ? `${id}-${active}` : undefined,
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left
    <div ref={popover} popover="manual" className={styles.popover} onBlur={leave}>
      {searchable && (
        <div className={styles.search}>
          <Icon name="search" size={20} />
          <input
            {...walking}
            className={styles.searchInput}
            role="combobox"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-label="Search"
            placeholder="Search"
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => search(event.target.value)}
          />
        </div>
      )}
      {shown.length === 0 && (
        <p className={styles.empty} role="status">
          No search data found!
        </p>
      )}
      {/* Clicks must leave the focus where it walks. */}
      <div
        {...(searchable ? {} : { ...walking, tabIndex: -1 })}
        className={styles.list}
        hidden={shown.length === 0}
        role="listbox"
        id={`${id}-list`}
        aria-labelledby={`${id}-label`}
        onMouseDown={(event) => event.preventDefault()}
      >
        <div ref={list} role="presentation">
          {shown.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled where the focus is
            // biome-ignore lint/a11y/useFocusableInteractive: the focus walks by aria-activedescendant
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={option.value === value}
              className={classes(styles.option, index === active && styles.active)}
              onClick={() => onChoose(option.value)}
              onMouseMove={() => index !== active && setActive(index)}
            >
              <span className={styles.value}>{option.label}</span>
              {option.value === value && (
                <span className={styles.check}>
                  <Icon name="check" size={20} />
                </span>
              )}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
