import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../buttons/button.tsx';
import { classes } from '../classes.ts';
import { MORE } from '../graphics/drawings.ts';
import { Icon, type IconName } from '../graphics/icon.tsx';
import styles from './menu.module.css';
import { useAnchoredPopover } from './use-anchored-popover.ts';

export interface MenuItem {
  name: string;
  icon: IconName;
  onChoose: () => void;
  /** The action loses data. */
  danger?: boolean;
}

interface MenuButtonProps {
  /** Label for screen readers. */
  label: string;
  icon?: IconName;
  className?: string | undefined;
  items: readonly MenuItem[];
  /** The edge of the button that the menu is aligned with. */
  side?: 'start' | 'end';
  /** Called instead of opening the menu. */
  onRefused?: (() => void) | undefined;
}

/** A button with a menu of actions. Arrow keys, Home and End move through it; Escape closes it. */
export function MenuButton({ label, icon = MORE, className, items, side = 'end', onRefused }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (returnFocus: boolean) => {
    setOpen(false);
    if (returnFocus) root.current?.querySelector('button')?.focus();
  };
  return (
    <div ref={root}>
      <IconButton
        id={id}
        label={label}
        icon={icon}
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={onRefused ?? (() => setOpen(!open))}
      />
      {open && <Menu labelledBy={id} anchor={root} side={side} items={items} onClose={close} />}
    </div>
  );
}

interface MenuProps {
  /** Id of the element that names it, or its name. */
  labelledBy?: string;
  label?: string;
  anchor: RefObject<HTMLElement | null>;
  side: 'start' | 'end';
  items: readonly MenuItem[];
  onClose: (returnFocus: boolean) => void;
}

/** The open menu beside its anchor. A press outside of both closes it. */
export function Menu({ labelledBy, label, anchor, side, items, onClose }: MenuProps) {
  const box = useAnchoredPopover(anchor, side);
  const closing = useRef(onClose);
  closing.current = onClose;

  useEffect(() => {
    box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const outside = ({ target }: PointerEvent) => {
      if (target instanceof Node && !anchor.current?.contains(target) && !box.current?.contains(target)) closing.current(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [anchor, box]);

  const byKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return onClose(false);
    if (event.key === 'Escape') onClose(true);
    else if (!moveFocus(box.current, event.key)) return;
    // Escape must not close a dialog around the menu.
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div ref={box} className={styles.menu} role="menu" aria-labelledby={labelledBy} aria-label={label} popover="manual" onKeyDown={byKey}>
      {items.map(({ name, icon, onChoose, danger }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={classes(styles.item, danger && styles.danger)}
          onClick={() => {
            onClose(true);
            onChoose();
          }}
        >
          <Icon name={icon} size={20} />
          {name}
        </button>
      ))}
    </div>
  );
}

/** Moves the focus for a movement key. Returns false for other keys. */
function moveFocus(menu: HTMLElement | null, key: string): boolean {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[key];
  if (next === undefined) return false;
  items.at(next % items.length)?.focus();
  return true;
}
