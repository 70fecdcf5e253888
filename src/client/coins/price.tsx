import { useEffect, useRef } from 'react';
import type { Currency } from '#contract/market/market.ts';
import { direction, formatPercent } from '#domain/format/format-number.ts';
import { Icon } from '../ui/graphics/icon.tsx';
import type { FigureCells } from './live-figures.ts';
import { formatPrice } from './money/money.ts';
import styles from './price.module.css';
import { tint } from './tint.ts';

/** Shows a price in tabular figures. A change tints the background for a moment. */
export function Price({ value, currency }: { value: number | null | undefined; currency: Currency }) {
  const element = useRef<HTMLSpanElement>(null);
  const text = formatPrice(value, currency);
  const last = useRef({ text, value, currency });

  useEffect(() => {
    const before = last.current;
    last.current = { text, value, currency };
    if (before.currency !== currency || before.text === text || before.value == null || value == null) return;
    if (element.current) tint(element.current, value > before.value ? 'up' : 'down');
  }, [text, value, currency]);

  return (
    <span ref={element} className={styles.price}>
      {text}
    </span>
  );
}

interface ChangeProps {
  value: number | null | undefined;
  /** Writes the amount without its sign. */
  format?: (value: number | null | undefined) => string;
}

/** Shows a change, in percent unless formatted otherwise, with arrow and color; no arrow at zero. */
export function Change({ value, format = formatPercent }: ChangeProps) {
  const way = direction(value);
  return (
    <span className={styles[way]}>
      {way !== 'flat' && (
        <>
          <Icon name={way === 'up' ? 'arrow-up' : 'arrow-down'} size={14} />
          <span className="sr-only">{way} </span>
        </>
      )}
      {format(value)}
    </span>
  );
}

/** The empty cell of a live price. */
export const PriceCell = ({ cells }: { cells: FigureCells }) => <span ref={cells.price} className={styles.price} />;

/** The empty cell of a live change. Its arrow turns with the direction. */
export const ChangeCell = ({ cells }: { cells: FigureCells }) => (
  <span ref={cells.change} className={styles.change}>
    <Icon name="arrow-up" size={14} />
    <span className="sr-only" />
    <span />
  </span>
);
