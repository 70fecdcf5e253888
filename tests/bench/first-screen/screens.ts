import type { Screen } from './bars.ts';

export interface ScreenAddress {
  target: Screen;
  url: string;
  /** Matches the first content, not its skeleton. */
  selector: string;
}

/** Text of a message in a conversation. A stored screen keeps these attributes. */
export const MESSAGE = '[data-opens="end"] li p';

/** Returns the screens that a signed-in user can open offline. */
export const userScreens = (url: string, chat: string): ScreenAddress[] => [
  { target: 'crypto', url: `${url}/crypto`, selector: 'a[href^="/crypto/details/"]' },
  { target: 'home', url: `${url}/home`, selector: 'section[aria-label="At a glance"] a' },
  { target: 'archive', url: `${url}/archive`, selector: 'a[href^="/chat/archive/"]' },
  { target: 'chat', url: url + chat, selector: MESSAGE },
];
