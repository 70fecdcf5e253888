import { useSyncExternalStore } from 'react';

/** Where list and details are side by side, as in layout/two-pane.module.css. */
const wide = matchMedia('(width >= 1024px)');

function subscribe(listener: () => void) {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

export const isWide = (): boolean => wide.matches;

/** Tells whether both panes show. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, isWide);
