import { useState } from 'react';
import { SearchHit } from '#client/features/market/search/search-hit.tsx';
import { useCoinsAsTyped } from '#client/features/market/search/use-coin-search.ts';
import { SearchField } from '#client/ui/fields/search-field.tsx';
import { useDebounced } from '#client/ui/hooks/use-debounced.ts';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import { formatUnitless } from '#domain/format/format-unitless.ts';
import styles from './coin-picker.module.css';

const MAX_TEXT = 60;
const SHOWN = 8;

interface CoinPickerProps {
  /** The level that the coin is chosen for. */
  price: number | undefined;
  onChoose: (coin: AlertCoin) => void;
  onClose: () => void;
}

/** Asks which coin an alert is for. */
export function CoinPicker({ price, onChoose, onClose }: CoinPickerProps) {
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const { hits, onlyDevice } = useCoinsAsTyped(text, useDebounced(text));
  const shown = hits?.slice(0, SHOWN) ?? [];
  return (
    <Dialog
      open
      title={price === undefined ? 'Alert for which coin?' : `Alert at ${formatUnitless(price)} for which coin?`}
      onClose={onClose}
    >
      <SearchField
        label="Search coins"
        placeholder="Search coin..."
        maxLength={MAX_TEXT}
        data-autofocus
        value={typed}
        onChange={setTyped}
      />
      <p className={styles.note} role="status">
        {hits && shown.length === 0 ? `Nothing matches "${text}".` : onlyDevice ? 'Found on this device.' : ''}
      </p>
      <ul className={styles.list} aria-label="Coins">
        {shown.map((hit) => (
          <li key={hit.id}>
            <button type="button" className={styles.coin} onClick={() => onChoose({ id: hit.id, name: hit.name, symbol: hit.symbol })}>
              <SearchHit hit={hit} text={text} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
