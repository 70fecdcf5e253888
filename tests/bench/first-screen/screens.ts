import type { Screen } from './bars.ts';

export interface ScreenAddress {
  target: Screen;
  url: string;
  /** Matches the first content, not its skeleton. */
  selector: string;
}

/** A message of a conversation. */
export const MESSAGE = 'li[data-id]';

/** Returns the screens that a signed-in user can open offline. */
export const userScreens = (url: string, chat: string): ScreenAddress[] => [
  { target: 'crypto', url: `${url}/crypto`, selector: 'a[href^="/crypto/details/"]' },
  { target: 'home', url: `${url}/home`, selector: 'nav[aria-label="Start"] a' },
  { target: 'archive', url: `${url}/archive`, selector: 'a[href^="/chat/archive/"]' },
  { target: 'chat', url: url + chat, selector: MESSAGE },
];
