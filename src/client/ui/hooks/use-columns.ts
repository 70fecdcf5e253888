import { useSyncExternalStore } from 'react';

/** Where a list has room for columns: alone on medium screens, and beside its details on the widest. Large text needs more of it. */
const roomy = matchMedia('(768px <= width < 1024px) and (width >= 48em), (width >= 1440px) and (width >= 90em)');

function subscribe(listener: () => void) {
  roomy.addEventListener('change', listener);
  return () => roomy.removeEventListener('change', listener);
}

/** Tells whether a list shows columns. */
export const useColumns = (): boolean => useSyncExternalStore(subscribe, () => roomy.matches);
