import { type ComponentProps, startTransition, useEffect, useState } from 'react';
import { lateComponent } from '#client/platform/late-component.tsx';
import { preloadWhenIdle } from '#client/platform/preload-when-idle.ts';
import { toast } from '#client/platform/toast.ts';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { FILTER } from '#client/ui/graphics/drawings.ts';
import { Icon } from '#client/ui/graphics/icon.tsx';
import type { Filters, ListChoice } from '#domain/market/list-address.ts';
import styles from './filter-button.module.css';
import type { FilterSheet } from './filter-sheet.tsx';

interface FilterButtonProps {
  choice: ListChoice;
  onChoose: (filters: Filters) => void;
}

const sheet = lateComponent<ComponentProps<typeof FilterSheet>>(() =>
  import('./filter-sheet.tsx').then((module) => ({ default: module.FilterSheet })),
);

/** Opens the filter sheet, and shows how many filters are set. */
export function FilterButton({ choice, onChoose }: FilterButtonProps) {
  const [state, set] = useState<'closed' | 'loading' | 'open'>('closed');
  const count = Object.keys(choice.filters).length;
  useEffect(() => preloadWhenIdle([sheet.load]), []);

  async function open() {
    // The frame that answers the tap does not wait for the sheet.
    if (sheet.isHere()) return startTransition(() => set('open'));
    set('loading');
    try {
      await sheet.load();
      set('open');
    } catch {
      set('closed');
      toast('The filter could not be loaded. Please try again when you are online.');
    }
  }

  return (
    <>
      <button type="button" className={styles.button} aria-haspopup="dialog" data-set={count > 0} onClick={() => void open()}>
        {state === 'loading' ? <Spinner /> : <Icon name={FILTER} />}
        <span className="sr-only">Filter</span>
        {count > 0 && (
          <span className={styles.badge}>
            {count}
            <span className="sr-only"> set</span>
          </span>
        )}
      </button>
      {sheet.isHere() && <sheet.component open={state === 'open'} choice={choice} onChoose={onChoose} onClose={() => set('closed')} />}
    </>
  );
}
