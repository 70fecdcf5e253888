import { useEffect, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { goBack, history, useLocation } from '#client/platform/router/history.ts';
import { EmptyState } from '#client/ui/feedback/page-state.tsx';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { PageHeader } from '#client/ui/layout/page-header.tsx';
import { TwoPane } from '#client/ui/layout/two-pane.tsx';
import styles from './search-page.module.css';
import { SearchResult } from './search-result.tsx';
import { useCoinSearch } from './use-coin-search.ts';

const PATH = '/crypto/crypto-search';
/** Characters, more than any coin's name has. */
const MAX_TEXT = 60;

/** `/crypto/crypto-search`: live search. The address stores the text, for Back, reload and sharing. */
export default function SearchPage() {
  const { search } = useLocation();
  const [typed, setTyped] = useState(() => new URLSearchParams(search).get('q')?.slice(0, MAX_TEXT) ?? '');
  const text = useDebounced(typed).trim();
  const reachable = useReachable();
  const { hits, onlyDevice } = useCoinSearch(text);

  useEffect(() => {
    const address = text ? `${PATH}?${new URLSearchParams({ q: text })}` : PATH;
    if (address !== PATH + history.location.search) history.replace(address);
  }, [text]);

  return (
    <TwoPane
      current="list"
      list={
        <>
          <PageHeader title="Search" onBack={() => goBack('/crypto')} />
          <div className={styles.tools}>
            <SearchField
              label="Search coins"
              placeholder="Search coin..."
              value={typed}
              onChange={setTyped}
              maxLength={MAX_TEXT}
              // The only task of this page.
              autoFocus
            />
            <p className={styles.note} role="status">
              {onlyDevice && `${reachable ? 'The server could not search.' : 'Offline.'} Found on this device, with saved prices:`}
            </p>
          </div>
          <SearchResult hits={hits} text={text} />
        </>
      }
      detail={
        <div className={styles.place}>
          <EmptyState title="Choose a coin to see its figures." />
        </div>
      }
    />
  );
}
