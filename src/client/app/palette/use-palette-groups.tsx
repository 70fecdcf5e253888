import type { ReactNode } from 'react';
import { useChatsAsTyped } from '#client/features/archive/pages/use-chats-as-typed.ts';
import { SearchHit } from '#client/features/market/search/search-hit.tsx';
import { useCoinsAsTyped } from '#client/features/market/search/use-coin-search.ts';
import { Icon, type IconName } from '#client/ui/graphics/icon.tsx';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import { highlight } from '#domain/text.ts';
import { findPages } from './pages.ts';
import styles from './palette.module.css';

export interface PaletteOption {
  href: string;
  content: ReactNode;
}

export interface PaletteGroup {
  name: string;
  options: readonly PaletteOption[];
}

interface PaletteGroups {
  groups: readonly PaletteGroup[];
  isSearching: boolean;
  /** The server did not answer: only coins on this device were searched. */
  onlyDevice: boolean;
}

/** Options of each group, without text and with one. */
const FIRST = { coins: 5, chats: 4 } as const;
const FOUND = { coins: 6, chats: 5, pages: 5 } as const;

const line = (icon: IconName, title: string, text: string) => (
  <>
    <Icon name={icon} size={20} />
    <span className={styles.title}>
      <Highlighted parts={highlight(title, text)} />
    </span>
  </>
);

/** Returns what the palette offers for a trimmed text. Without text: top coins, recent chats and all pages. */
export function usePaletteGroups(text: string): PaletteGroups {
  const settled = useDebounced(text);
  const { hits, onlyDevice } = useCoinsAsTyped(text, settled);
  const chats = useChatsAsTyped(text, settled);
  const pages = findPages(text);
  const limits = text ? FOUND : FIRST;

  const groups: PaletteGroup[] = [
    {
      name: 'Coins',
      options: (hits ?? []).slice(0, limits.coins).map((hit) => ({
        href: `/crypto/details/${hit.id}`,
        content: <SearchHit hit={hit} text={text} />,
      })),
    },
    {
      name: 'Pages',
      options: pages
        .slice(0, text ? FOUND.pages : pages.length)
        .map(({ href, title, icon }) => ({ href, content: line(icon, title, text) })),
    },
    {
      name: text ? 'Chats' : 'Recent chats',
      options: chats.slice(0, limits.chats).map(({ id, archive_title }) => ({
        href: `/chat/archive/${id}`,
        content: line('chat', archive_title || 'New Title', text),
      })),
    },
  ];
  // Pages are many without a text, so chats come before them.
  const shown = text ? groups : [groups[0], groups[2], groups[1]];
  return {
    groups: shown.filter((group): group is PaletteGroup => group !== undefined && group.options.length > 0),
    isSearching: !hits || text !== settled,
    onlyDevice,
  };
}
