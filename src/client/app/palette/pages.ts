import { BOT, DISK, HELP, IMAGE, LAPTOP, LOCK, PAGE, SPARKLE, USER } from '#client/ui/graphics/drawings.ts';
import type { IconName } from '#client/ui/graphics/icon.tsx';
import { isTypoOf } from '#domain/market/typos.ts';
import { PICTURE_CHAT } from '#domain/picture-chat.ts';
import { fold } from '#domain/text.ts';
import { titleOf } from '../page-title.ts';

export interface PalettePage {
  href: string;
  title: string;
  icon: IconName;
}

/** A page, its icon, and other words that people look for it by. */
const PAGES: readonly (readonly [href: string, icon: IconName, words: string, title?: string])[] = [
  ['/home', 'home', 'start overview dashboard'],
  ['/chat', 'plus', 'ask question', 'New Chat'],
  [PICTURE_CHAT, IMAGE, 'upload picture chart screenshot', 'Chat by Image'],
  ['/crypto', 'crypto', 'coins prices list ranking'],
  ['/crypto/watchlist', 'heart', 'favorites'],
  ['/archive', 'archive', 'chats history conversations'],
  ['/trading-bot', BOT, 'bots trade automated'],
  ['/trading-bot/backtests', 'chart', 'strategy test history'],
  ['/training-insight', 'chart', 'indicator training insight support resistance levels'],
  ['/settings/account', 'settings', 'appearance theme dark light hide amounts log out delete'],
  ['/settings/profile', USER, 'name photo country password profile'],
  ['/settings/devices', LAPTOP, 'sessions security sign out'],
  ['/pricing', SPARKLE, 'plans upgrade premium pro basic buy'],
  ['/settings/manage-subscription', SPARKLE, 'plan billing cancel renew'],
  ['/settings/alerts', 'chart', 'notify level crossing above below percent'],
  ['/settings/notification', 'bell', 'unread'],
  ['/settings/notification/settings', 'bell', 'telegram webhook mail quiet hours night push', 'Notification settings'],
  ['/settings/storage', DISK, 'export download clear offline'],
  ['/settings/help-center', HELP, 'faq contact support'],
  ['/settings/privacy-policies', LOCK, 'legal data'],
  ['/settings/terms-and-conditions', PAGE, 'legal conditions'],
];

const pages = PAGES.map(([href, icon, words, title = titleOf(href) ?? '']) => ({
  page: { href, title, icon },
  title: fold(title),
  words: fold(`${title} ${words}`).split(' '),
}));

/** Returns the pages whose title contains the text, then those with a word that begins with it or has a typo of it. */
export function findPages(text: string): PalettePage[] {
  const needle = fold(text);
  const titled = pages.filter(({ title }) => title.includes(needle));
  const worded = pages.filter(
    (each) => !titled.includes(each) && each.words.some((word) => word.startsWith(needle) || isTypoOf(needle, word)),
  );
  return [...titled, ...worded].map(({ page }) => page);
}
