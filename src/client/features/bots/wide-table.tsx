import type { ReactNode } from 'react';
import styles from './wide-table.module.css';

export interface WideColumn<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** The text may take several lines, and the full width of a card. */
  isLong?: true;
}

interface WideTableProps<Row> {
  /** Names the area that the table scrolls in. */
  label: string;
  columns: readonly WideColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Maximum height of the area, px. */
  maxHeight: number;
  /** A `th` with a control for each column. Phones show these above the rows, but hide plain labels. */
  heads?: ReactNode;
  /** The rows belong to an earlier request. */
  isOld?: boolean;
}

/** A table that scrolls under its head. On phones, a row is a card that names the column of each cell. */
export const WideTable = <Row,>({ label, columns, rows, keyOf, maxHeight, heads, isOld }: WideTableProps<Row>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
  <section className={styles.scroll} style={{ maxHeight }} tabIndex={0} aria-label={label} aria-busy={isOld}>
    <table className={styles.table}>
      <thead className={heads ? styles.controls : styles.labels}>
        <tr>
          {heads ??
            columns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.label} className={column.isLong && styles.long} data-label={column.label}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
