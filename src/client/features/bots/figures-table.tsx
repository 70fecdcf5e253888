import styles from './figures-table.module.css';

interface FiguresTableProps {
  caption?: string;
  columns: readonly string[];
  /** Each row's label and one figure per column. */
  rows: readonly { label: string; figures: readonly string[] }[];
}

/** A table of figures with a heading for each row and column. */
export const FiguresTable = ({ caption, columns, rows }: FiguresTableProps) => (
  <table className={styles.table}>
    {caption !== undefined && <caption>{caption}</caption>}
    <thead>
      <tr>
        <td />
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ label, figures }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {columns.map((column, index) => (
            <td key={column}>{figures[index]}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
