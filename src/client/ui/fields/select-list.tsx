import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../classes.ts';
import { Icon } from '../graphics/icon.tsx';
import { useAnchoredPopover } from '../overlays/use-anchored-popover.ts';
import styles from './select-list.module.css';
import { useTypeAhead } from './use-type-ahead.ts';

export interface SelectOption<T extends string | number> {
  value: T;
  label: string;
}

export type MatchesLabel = (label: string, query: string) => boolean;

interface SelectListProps<T extends string | number> {
  /** Prefix of the ids; the label is `${id}-label`. */
  id: string;
  anchor: RefObject<HTMLElement | null>;
  value: T;
  options: readonly SelectOption<T>[];
  /** Shows a search box and decides which options a query keeps. */
  matches: MatchesLabel | undefined;
  onChoose: (value: T) => void;
  onClose: (returnFocus: boolean) => void;
}

/**
 * Renders the open list of a `Select`. The focus stays in the search box or on the list; `aria-activedescendant` marks
 * the active option.
 */
export function SelectList<T extends string | number>({ id, anchor, value, options, matches, onChoose, onClose }: SelectListProps<T>) {
  const [query, setQuery] = useState('');
  const shown = query && matches ? options.filter(({ label }) => matches(label, query)) : options;
  const [active, setActive] = useState(() => Math.max(indexOfValue(options, value), 0));
  const typeAhead = useTypeAhead(options);
  const focused = useRef<HTMLInputElement & HTMLDivElement>(null);
  const popover = useAnchoredPopover(anchor);
  const isSearchable = matches !== undefined;

  useLayoutEffect(() => focused.current?.focus({ preventScroll: true }), []);

  const search = (text: string) => {
    setQuery(text);
    setActive(0);
  };

  const press = (event: KeyboardEvent) => {
    const target = targetOfKey(event.key, active, shown.length);
    const option = shown[active];
    if (target !== undefined) setActive(target);
    else if (event.key === 'Escape') onClose(true);
    else if (event.key === 'Enter' || (event.key === ' ' && !isSearchable)) option && onChoose(option.value);
    // No preventDefault: the browser moves the focus on from the button.
    else if (event.key === 'Tab') return onClose(true);
    else if (!isSearchable && isTyping(event)) setActive(typeAhead(event) ?? active);
    else return;
    // Escape must not close the dialog around this list, and Enter must not submit its form.
    event.preventDefault();
    event.stopPropagation();
  };

  const focusTarget = {
    ref: focused,
    onKeyDown: press,
    'aria-activedescendant': shown[active] ? `${id}-${active}` : undefined,
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left
    <div
      ref={popover}
      popover="manual"
      className={styles.popover}
      onBlur={(event) => event.currentTarget.contains(event.relatedTarget) || onClose(false)}
    >
      {isSearchable && (
        <div className={styles.search}>
          <Icon name="search" size={20} />
          <input
            {...focusTarget}
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
      {shown.length === 0 && <NoMatches />}
      {/* A click must not take the focus away from the search box or the list. */}
      <div
        {...(isSearchable ? {} : { ...focusTarget, tabIndex: -1 })}
        className={styles.list}
        hidden={shown.length === 0}
        role="listbox"
        id={`${id}-list`}
        aria-labelledby={`${id}-label`}
        onMouseDown={(event) => event.preventDefault()}
      >
        <Options id={id} options={shown} value={value} active={active} onActive={setActive} onChoose={onChoose} />
      </div>
    </div>
  );
}

const NoMatches = () => (
  <p className={styles.empty} role="status">
    No search data found!
  </p>
);

interface OptionsProps<T extends string | number> {
  id: string;
  options: readonly SelectOption<T>[];
  value: T;
  active: number;
  onActive: (index: number) => void;
  onChoose: (value: T) => void;
}

function Options<T extends string | number>({ id, options, value, active, onActive, onChoose }: OptionsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} role="presentation">
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focused element handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant marks the active option
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={option.value === value}
          className={classes(styles.option, index === active && styles.active)}
          onClick={() => onChoose(option.value)}
          onMouseMove={() => index !== active && onActive(index)}
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
  );
}

const indexOfValue = <T extends string | number>(options: readonly SelectOption<T>[], value: T): number =>
  options.findIndex((option) => option.value === value);

/** Returns the index that a movement key leads to; undefined for any other key. */
function targetOfKey(key: string, active: number, count: number): number | undefined {
  const last = Math.max(count - 1, 0);
  const targets: Record<string, number> = { ArrowDown: Math.min(active + 1, last), ArrowUp: Math.max(active - 1, 0), Home: 0, End: last };
  return targets[key];
}

const isTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => key.length === 1 && !ctrlKey && !metaKey && !altKey;
