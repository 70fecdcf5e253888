import { useSyncExternalStore } from 'react';

/** `system` follows the device. */
export const THEMES = ['system', 'dark', 'light'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'theme';
/** Heard by public/theme.js, which applies the choice before the first paint and whenever it changes. */
const CHANGED = 'theme';

function readTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** Keeps the choice on this device and shows it at once, in other tabs too. */
export function setTheme(theme: Theme) {
  if (theme === 'system') localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, theme);
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

export const useTheme = (): Theme => useSyncExternalStore(subscribe, readTheme);
