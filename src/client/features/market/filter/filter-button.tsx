import { useState } from 'react';
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

/** Opens the filter sheet, and shows how many filters are set. */
export function FilterButton({ choice, onChoose }: FilterButtonProps) {
  const [state, set] = useState<'closed' | 'loading' | 'open'>('closed');
  const [Sheet, keep] = useState<typeof FilterSheet>();
  const count = Object.keys(choice.filters).length;

  async function open() {
    set('loading');
    try {
      // Form code is large, and most visits do not open the filter.
      const code = await import('./filter-sheet.tsx');
      keep(() => code.FilterSheet);
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
      {Sheet && <Sheet open={state === 'open'} choice={choice} onChoose={onChoose} onClose={() => set('closed')} />}
    </>
  );
}
