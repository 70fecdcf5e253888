import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { CHAT_IMAGE_TYPES } from '../../../contract/chat';
import { IconButton } from '../../ui/button';
import { CAMERA } from '../../ui/drawings';
import { Icon, type IconName } from '../../ui/icon';
import styles from './attach-menu.module.css';

interface AttachMenuProps {
  /** False: the plan holds no chart analysis any more, and the button says so by `onRefused`. */
  allowed: boolean;
  onRefused: () => void;
  onChoose: (file: File) => void;
}

const WAYS = [
  { name: 'Camera', icon: CAMERA, capture: 'environment' },
  { name: 'Gallery', icon: 'image', capture: undefined },
] as const satisfies readonly { name: string; icon: IconName; capture: 'environment' | undefined }[];

/** The camera button with its menu: a picture is taken, or chosen among those there are. */
export function AttachMenu({ allowed, onRefused, onChoose }: AttachMenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = () => root.current?.querySelector<HTMLElement>('[aria-haspopup]');

  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);

  const close = () => {
    setOpen(false);
    button()?.focus();
  };
  const byKey = (event: KeyboardEvent) => {
    if (!open) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') return setOpen(false);
    else if (!moveFocus(root.current, event.key)) return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu inside
    <div ref={root} className={styles.attach} onKeyDown={byKey}>
      <IconButton
        label="Attach a picture"
        icon={CAMERA}
        className={styles.button}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => (allowed ? setOpen(!open) : onRefused())}
      />
      <span className={styles.badge} title="Premium">
        <Icon name="sparkle" size={12} />
      </span>
      {open && (
        <div className={styles.menu} role="menu" aria-label="Attach a picture">
          {WAYS.map(({ name, icon }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={styles.item}
              onClick={() => {
                root.current?.querySelector<HTMLInputElement>(`[data-way=${name}]`)?.click();
                close();
              }}
            >
              <Icon name={icon} size={20} />
              {name}
            </button>
          ))}
        </div>
      )}
      {WAYS.map(({ name, capture }) => (
        <input
          key={name}
          data-way={name}
          type="file"
          hidden
          aria-label={name}
          accept={CHAT_IMAGE_TYPES.join()}
          capture={capture}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) onChoose(file);
            target.value = ''; // the same file can be chosen again
          }}
        />
      ))}
    </div>
  );
}

/** Arrow keys, Home and End go through a menu's items. True for a key that does. */
function moveFocus(root: HTMLElement | null, key: string): boolean {
  const items = [...(root?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[key];
  if (next === undefined) return false;
  items.at(next % items.length)?.focus();
  return true;
}
