import { useSyncExternalStore } from 'react';

/** Where a list has room for columns: alone on medium screens, and beside its details on the widest. */
const roomy = matchMedia('(768px <= width < 1024px), (width >= 1440px)');

function subscribe(listener: () => void) {
  roomy.addEventListener('change', listener);
  return () => roomy.removeEventListener('change', listener);
}

/** Tells whether a list shows columns. */
export const useColumns = (): boolean => useSyncExternalStore(subscribe, () => roomy.matches);
