import { figure } from '#domain/market/figures.ts';
import { PERIOD_LABELS } from '#domain/market/list-address.ts';
import type { FiguresChoice } from '../live-figures.ts';
import { formatFigure } from '../money/money.ts';
import { Change } from '../price.tsx';
import { columnPeriods } from './column-periods.ts';
import styles from './wide-cells.module.css';

/** The cells that a row has only in columns: the other changes and the volume. No tick changes them. */
export const WideCells = ({ coin: { quote }, currency, period }: FiguresChoice) => (
  <>
    {columnPeriods(period).map((column) =>
      column === period ? null : (
        <span key={column} className={styles.cell} data-kind={column}>
          <span className="sr-only">{PERIOD_LABELS[column]} </span>
          <Change value={figure(quote, `percent_change_${column}`, currency)?.value} />
        </span>
      ),
    )}
    <span className={styles.volume}>
      <span className="sr-only">Volume </span>
      {formatFigure(figure(quote, 'volume_24h', currency))}
    </span>
  </>
);
