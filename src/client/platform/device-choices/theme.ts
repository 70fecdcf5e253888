import { useSyncExternalStore } from 'react';
import { THEME_COOKIE } from '#contract/paths.ts';
import { storedTheme, THEME_KEY, type Theme } from './stored-theme.ts';

/** The longest that browsers keep a cookie, s. */
const COOKIE_AGE = 400 * 24 * 60 * 60;

/** Heard by public/theme.js, which applies the choice before the first paint and whenever it changes. */
const CHANGED = 'theme';

/** Keeps the choice on this device and shows it at once, in other tabs too. */
export function setTheme(theme: Theme) {
  const isChosen = theme !== 'system';
  if (isChosen) localStorage.setItem(THEME_KEY, theme);
  else localStorage.removeItem(THEME_KEY);
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API.
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; samesite=lax; max-age=${isChosen ? COOKIE_AGE : 0}`;
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(listener: () => void) {
  window.addEventListener(CHANGED, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(CHANGED, listener);
    window.removeEventListener('storage', listener);
  };
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme);
