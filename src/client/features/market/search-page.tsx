import { useEffect, useState } from 'react';
import { useReachable } from '../../platform/live/use-reachable';
import { goBack, history, useLocation } from '../../platform/router/history';
import { PageHeader } from '../../ui/page-header';
import { SearchField } from '../../ui/search-field';
import { TwoPane } from '../../ui/two-pane';
import { useDebounced } from '../../ui/use-debounced';
import { ChooseCoin } from './choose-coin';
import styles from './search-page.module.css';
import { SearchResult } from './search-result';
import { useCoinSearch } from './use-coin-search';

const PATH = '/crypto/crypto-search';
/** Longer than any coin's name. */
const MAX_TEXT = 60;

/** `/crypto/crypto-search` (spec §2): live search; the address keeps what was typed for back, reload and sharing. */
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
              // The only thing to do on this page, and what its visitor came for.
              autoFocus
            />
            <p className={styles.note} role="status">
              {onlyDevice && `${reachable ? 'The server could not search.' : 'Offline.'} Found on this device:`}
            </p>
          </div>
          <SearchResult hits={hits} text={text} />
        </>
      }
      detail={<ChooseCoin />}
    />
  );
}
