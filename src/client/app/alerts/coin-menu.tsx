import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { askForAlert } from '#client/platform/alert-request.ts';
import { useUserLive } from '#client/platform/cache/use-live.ts';
import { EXTERNAL } from '#client/ui/graphics/drawings.ts';
import { Menu } from '#client/ui/overlays/menu.tsx';
import type { RowMenuTarget } from './on-row-menu.ts';

/** The menu of a coin's row in a list. */
export function CoinMenu({ target: { link, coinId }, onClose }: { target: RowMenuTarget; onClose: () => void }) {
  // Its icon: the menu is at least as wide as its anchor.
  const anchor = useRef(link.firstElementChild as HTMLElement | null);
  const found = useUserLive(`menu/${coinId}`, async (db) => ({ coin: await db.coins.get(coinId) }));
  if (!found) return null;
  const { coin } = found;
  const close = (returnFocus: boolean) => {
    onClose();
    if (returnFocus) link.focus();
  };
  return createPortal(
    <Menu
      label={`Actions of ${coin?.name ?? 'this coin'}`}
      anchor={anchor}
      side="start"
      onClose={close}
      items={[
        ...(coin
          ? [
              {
                name: 'Set price alert',
                icon: 'bell' as const,
                onChoose: () => askForAlert({ coin: { id: coin.id, name: coin.name, symbol: coin.symbol } }),
              },
            ]
          : []),
        { name: 'Open in new tab', icon: EXTERNAL, onChoose: () => void window.open(link.href, '_blank', 'noopener') },
      ]}
    />,
    // With the page: all content is in landmarks.
    link.closest('main') ?? document.body,
  );
}
