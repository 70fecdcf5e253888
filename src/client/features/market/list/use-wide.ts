import { useSyncExternalStore } from 'react';

/** From here on list and details stand side by side (ui/two-pane.module.css). */
const wide = matchMedia('(width >= 1024px)');

function subscribe(listener: () => void) {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether both panes show. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
