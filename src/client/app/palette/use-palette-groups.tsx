import type { ReactNode } from 'react';
import { useChatsAsTyped } from '#client/features/archive/pages/use-chats-as-typed.ts';
import { SearchHit } from '#client/features/market/search/search-hit.tsx';
import { useCoinsAsTyped } from '#client/features/market/search/use-coin-search.ts';
import { askForAlert } from '#client/platform/alert-request.ts';
import { CHAT } from '#client/ui/graphics/drawings.ts';
import { Icon, type IconName } from '#client/ui/graphics/icon.tsx';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import type { SearchHit as Hit } from '#contract/market/search.ts';
import { formatSymbol, formatUsd } from '#domain/format/format-number.ts';
import { fold, highlight } from '#domain/text.ts';
import { findPages } from './pages.ts';
import styles from './palette.module.css';
import { readAlertText } from './read-alert-text.ts';

export interface PaletteOption {
  /** Also identifies the option. */
  href: string;
  content: ReactNode;
  /** What the option does instead of opening its page. */
  onChoose?: () => void;
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
const ALERTS = 3;

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
  const alert = readAlertText(text);
  const named = alert?.query ?? text;
  const { hits, onlyDevice } = useCoinsAsTyped(named, readAlertText(settled)?.query ?? settled);
  const chats = useChatsAsTyped(text, settled);
  const pages = findPages(text);
  const limits = text ? FOUND : FIRST;

  const alerts: PaletteGroup = { name: 'Alerts', options: alertOptions(hits ?? [], text, alert) };
  const coins: PaletteGroup = {
    name: 'Coins',
    options: (hits ?? []).slice(0, limits.coins).map((hit) => ({
      href: `/crypto/details/${hit.id}`,
      content: <SearchHit hit={hit} text={named} />,
    })),
  };
  const found: PaletteGroup = {
    name: 'Pages',
    options: pages.slice(0, text ? FOUND.pages : pages.length).map(({ href, title, icon }) => ({ href, content: line(icon, title, text) })),
  };
  const talks: PaletteGroup = {
    name: text ? 'Chats' : 'Recent chats',
    options: chats.slice(0, limits.chats).map(({ id, archive_title }) => ({
      href: `/chat/archive/${id}`,
      content: line(CHAT, archive_title || 'New Title', text),
    })),
  };
  // Enter chooses the first: the coin, unless the user asks for an alert. Pages are many without a text, so chats come before them.
  const shown = text ? [...(alert ? [alerts, coins] : [coins, alerts]), found, talks] : [coins, talks, found];
  return {
    groups: shown.filter(({ options }) => options.length > 0),
    isSearching: !hits || text !== settled,
    onlyDevice,
  };
}

/** Returns alerts for the coins that a text with the word "alert" names, or for the coin whose name or symbol it is. */
function alertOptions(hits: readonly Hit[], text: string, asked: ReturnType<typeof readAlertText>): PaletteOption[] {
  const isExact = ({ name, symbol }: Hit) => [name, symbol].some((each) => fold(each) === fold(text));
  const coins = asked ? hits.slice(0, ALERTS) : hits.filter(isExact).slice(0, 1);
  return coins.map(({ id, name, symbol }) => {
    const title = `Alert for ${formatSymbol(symbol) || name}${asked?.price === undefined ? '' : ` at ${formatUsd(asked.price)}`}`;
    return {
      href: `/crypto/details/${id}#alert`,
      content: line('bell', title, ''),
      onChoose: () => askForAlert({ coin: { id, name, symbol }, price: asked?.price, side: asked?.side }),
    };
  });
}
