import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { history } from '#client/platform/router/history.ts';
import { isPlainClick } from '#client/platform/router/is-plain-click.ts';
import { classes } from '#client/ui/classes.ts';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { formatCount } from '#domain/format/format-count.ts';
import styles from './palette.module.css';
import { type PaletteGroup, usePaletteGroups } from './use-palette-groups.tsx';

/** Characters, more than any coin's name has. */
const MAX_TEXT = 60;

/** A search over coins, chats and pages. The focus stays in its field; arrow keys move through the results, and Enter opens one. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const text = typed.trim();
  const reachable = useReachable();
  const { groups, isSearching, onlyDevice } = usePaletteGroups(text);
  const hrefs = groups.flatMap(({ options }) => options.map(({ href }) => href));
  // Results that arrive late move the options, never the one that is active.
  const active = chosen !== undefined && hrefs.includes(chosen) ? chosen : hrefs[0];
  const optionId = (href: string) => `${id}-${hrefs.indexOf(href)}`;

  // Whatever opens a page closes the palette: an option, Back, or the answer to a page's question.
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => history.listen(() => close.current()), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or option changes what is active
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, text]);

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const at = hrefs.indexOf(active ?? '');
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined) setChosen(hrefs.at(next % Math.max(hrefs.length, 1)));
    else if (event.key === 'Enter') list.current?.querySelector<HTMLElement>('[aria-selected=true]')?.click();
    else return;
    event.preventDefault();
  };

  const type = (value: string) => {
    setTyped(value);
    setChosen(undefined);
  };

  const status = statusOf({ text, isSearching, count: hrefs.length });
  return (
    <Dialog open title="Search" onClose={onClose}>
      <SearchField
        label="Search coins, chats and pages"
        placeholder="Coins, chats and pages"
        role="combobox"
        aria-expanded={hrefs.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : optionId(active)}
        enterKeyHint="go"
        maxLength={MAX_TEXT}
        data-autofocus
        value={typed}
        onChange={type}
        onKeyDown={press}
      />
      <p className={styles.note}>
        <span role="status">{status}</span>
        {onlyDevice && ` ${reachable ? 'The server could not search.' : 'Offline.'} Found on this device, with saved prices.`}
      </p>
      <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label="Results">
        {groups.map((group) => (
          <Group
            key={group.name}
            id={`${id}-${group.name}`}
            group={group}
            active={active}
            optionId={optionId}
            onActive={setChosen}
            onClose={onClose}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface GroupProps {
  id: string;
  group: PaletteGroup;
  active: string | undefined;
  optionId: (href: string) => string;
  onActive: (href: string) => void;
  onClose: () => void;
}

const Group = ({ id, group: { name, options }, active, optionId, onActive, onClose }: GroupProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
  <div role="group" aria-labelledby={id}>
    <div className={styles.heading} id={id} role="presentation">
      {name}
    </div>
    {options.map(({ href, content, onChoose }) => (
      // The field keeps the focus: a link would take it with the press of a mouse button.
      <a
        key={href}
        id={optionId(href)}
        className={classes(styles.option, href === active && styles.active)}
        href={href}
        role="option"
        aria-selected={href === active}
        tabIndex={-1}
        data-native={onChoose && ''}
        onMouseDown={(event) => event.preventDefault()}
        onClick={
          onChoose &&
          ((event) => {
            // Other clicks open the coin's page.
            if (!isPlainClick(event)) return;
            event.preventDefault();
            onClose();
            onChoose();
          })
        }
        onMouseMove={() => href !== active && onActive(href)}
      >
        {content}
      </a>
    ))}
  </div>
);

function statusOf({ text, isSearching, count }: { text: string; isSearching: boolean; count: number }): string {
  if (count > 0) return text ? formatCount(count, 'result') : '';
  return isSearching ? 'Searching…' : `Nothing matches "${text}".`;
}
