import { useEffect, useRef } from 'react';
import { history, useLocation } from '#client/platform/router/history.ts';
import { CAMERA, IMAGE, SPARKLE } from '#client/ui/graphics/drawings.ts';
import { Icon, type IconName } from '#client/ui/graphics/icon.tsx';
import { MenuButton } from '#client/ui/overlays/menu.tsx';
import { CHAT_IMAGE_TYPES } from '#contract/pictures.ts';
import { asksForPicture } from '#domain/picture-chat.ts';

import styles from './attach-menu.module.css';

interface AttachMenuProps {
  /** False if the plan has no chart analysis left; the button then calls `onRefused`. Undefined until the plan is known. */
  allowed: boolean | undefined;
  onRefused: () => void;
  onChoose: (file: File) => void;
}

const WAYS = [
  { name: 'Camera', icon: CAMERA, capture: 'environment' },
  { name: 'Gallery', icon: IMAGE, capture: undefined },
] as const satisfies readonly { name: string; icon: IconName; capture: 'environment' | undefined }[];

/** The camera button with its menu: take a picture or choose one. It opens by itself at the address `PICTURE_CHAT`. */
export function AttachMenu({ allowed, onRefused, onChoose }: AttachMenuProps) {
  const root = useRef<HTMLDivElement>(null);
  const { search } = useLocation();

  // The address forgets the request at once: Back and a reload must not repeat it.
  useEffect(() => {
    const { location } = history;
    if (allowed === undefined || !asksForPicture(search) || location.search !== search) return;
    history.replace(location.pathname);
    root.current?.querySelector('button')?.click();
  }, [search, allowed]);

  const items = WAYS.map(({ name, icon }) => ({
    name,
    icon,
    onChoose: () => root.current?.querySelector<HTMLInputElement>(`[data-way=${name}]`)?.click(),
  }));

  return (
    <div ref={root} className={styles.attach}>
      <MenuButton
        label="Attach a picture"
        icon={CAMERA}
        className={styles.button}
        items={items}
        side="start"
        onRefused={allowed === false ? onRefused : undefined}
      />
      <span className={styles.badge} title="Premium">
        <Icon name={SPARKLE} size={12} />
      </span>
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
            target.value = ''; // allows choosing the same file again
          }}
        />
      ))}
    </div>
  );
}
