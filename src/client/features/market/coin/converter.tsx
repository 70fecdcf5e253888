import { type ReactNode, useId, useState } from 'react';
import { keepNewest } from '#client/platform/cache/keep-newest.ts';
import { onUserGone } from '#client/platform/session/sign-out-in-other-tabs.ts';
import { TextField } from '#client/ui/fields/field.tsx';
import { formatSymbol } from '#domain/format/format-number.ts';
import { convert, isAmount } from '#domain/market/convert.ts';
import styles from './converter.module.css';

interface Typed {
  side: 'coin' | 'money';
  text: string;
}

/** What the user typed last, by coin: it stays while the user looks at other pages. */
const kept = new Map<number, Typed>();
const MAX_KEPT = 20;
onUserGone(() => kept.clear());

/** Longest text of a field. */
const MAX_TEXT = 40;

const keep = (id: number, typed: Typed) => keepNewest(kept, id, typed, MAX_KEPT);

interface ConverterProps {
  coin: { id: number; name: string; symbol: string };
  /** Price of the coin in `currency`; undefined if unknown. */
  price: number | undefined;
  /** Code of the currency. */
  currency: string;
}

/** Converts an amount of the coin to money, and back. A new price changes only the other side of the amount that the user typed. */
export function Converter({ coin: { id, name, symbol }, price, currency }: ConverterProps) {
  const heading = useId();
  const [{ side, text }, setTyped] = useState<Typed>(() => kept.get(id) ?? { side: 'coin', text: '1' });
  const isWrong = text.trim() !== '' && !isAmount(text);
  const other = convert(text, side === 'coin' ? 'times' : 'by', price);
  const field = (own: Typed['side'], unit: string): ReactNode => (
    <TextField
      label={`Amount in ${unit}`}
      inputMode="decimal"
      autoComplete="off"
      maxLength={MAX_TEXT}
      value={own === side ? text : other}
      error={own === side && isWrong ? 'Enter an amount of at most 15 digits, such as 0.5 or 250k.' : undefined}
      onChange={({ currentTarget }) => {
        const typed: Typed = { side: own, text: currentTarget.value.slice(0, MAX_TEXT) };
        setTyped(typed);
        keep(id, typed);
      }}
    />
  );
  return (
    <section aria-labelledby={heading}>
      <h2 className={styles.heading} id={heading}>
        Converter
      </h2>
      <div className={styles.fields}>
        {field('coin', formatSymbol(symbol))}
        {field('money', currency)}
      </div>
      {price === undefined && (
        <p className={styles.note} role="status">
          The price of <bdi>{name}</bdi> is unknown, so it cannot be converted.
        </p>
      )}
    </section>
  );
}
