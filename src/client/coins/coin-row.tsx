import { type ComponentType, memo, type ReactNode, useMemo } from 'react';
import { formatSymbol } from '#domain/format/format-number.ts';
import { classes } from '../ui/classes.ts';
import { Skeleton } from '../ui/feedback/skeleton.tsx';
import { SkipList } from '../ui/layout/two-pane.tsx';
import columnStyles from './coin-columns.module.css';
import { CoinIcon } from './coin-icon.tsx';
import styles from './coin-row.module.css';
import { HeartMark } from './heart.tsx';
import { type FiguresChoice, rowFigures, type Ticks, useLiveFigures } from './live-figures.ts';
import { ChangeCell, PriceCell } from './price.tsx';

interface CoinRowProps extends FiguresChoice {
  /** The coin's page. */
  href: string;
  /** Whether the coin is open beside the list. */
  current: boolean;
  /** Marks the coin as in the watchlist. */
  watched?: boolean;
  ticks: Ticks;
  /** A button beside the link. */
  end?: ReactNode;
  /** Renders the line of the last 7 days, once its code is loaded. */
  Line?: ComponentType<{ prices: readonly number[] }> | undefined;
  /** The figures are in columns. */
  wide?: boolean;
  /** Renders the cells that only columns have, once their code is loaded. */
  Cells?: ComponentType<FiguresChoice> | undefined;
}

/** One coin of a list. Ticks update figures without React; after a refetch, changed rows write them and keep their elements. */
export const CoinRow = memo(function CoinRow({ href, current, watched, ticks, end, wide, Cells, Line, ...choice }: CoinRowProps) {
  const { id, name, symbol, line_7d: line } = choice.coin;
  const cells = useLiveFigures(choice, ticks);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the line by its text; columns show all figures
  return useMemo(
    () => (
      <li ref={cells.row} className={classes(styles.item, Boolean(end) && styles.ended)}>
        <a
          className={classes(styles.row, wide && columnStyles.wide, wide && styles.wide)}
          href={href}
          aria-current={current ? 'page' : undefined}
        >
          <CoinIcon id={id} name={name} symbol={symbol} size={36} />
          <span className={styles.names}>
            <bdi className={styles.name}>{name}</bdi>
            {watched && <HeartMark />}
          </span>
          <bdi className={styles.symbol}>{formatSymbol(symbol)}</bdi>
          <span className={styles.cap}>
            <span className={styles.capLabel}>MCap </span>
            <span ref={cells.cap} />
          </span>
          <span className={styles.price}>
            <PriceCell cells={cells} />
          </span>
          <span className={styles.change} data-kind={choice.period}>
            <ChangeCell cells={cells} />
          </span>
          {Cells && <Cells {...choice} />}
          {line && Line && <Line prices={line} />}
        </a>
        {current && <SkipList />}
        {end}
      </li>
    ),
    [id, name, symbol, href, current, watched, end, cells, wide && choice, Cells, Line, String(line)],
  );
}, isSame);

function isSame({ coin: oldCoin, ...before }: CoinRowProps, { coin, ...now }: CoinRowProps): boolean {
  if (!Object.keys(now).every((key) => Object.is(before[key as keyof typeof before], now[key as keyof typeof now]))) return false;
  if (oldCoin.id !== coin.id || oldCoin.name !== coin.name || oldCoin.symbol !== coin.symbol) return false;
  const [old, next] = [oldCoin, coin].map((each) => JSON.stringify([now.Cells ? each : rowFigures({ ...now, coin: each }), each.line_7d]));
  return old === next;
}

/** The placeholder of a row while the list loads. */
export const coinRowOutline = (
  <span className={styles.item}>
    <span className={styles.row}>
      <Skeleton width={36} height={36} radius="50%" />
      <span className={styles.names}>
        <Skeleton width={120} height={16} />
      </span>
      <span className={styles.symbol}>
        <Skeleton width={72} height={12} />
      </span>
      <span className={styles.price}>
        <Skeleton width={84} height={16} />
      </span>
      <span className={styles.change}>
        <Skeleton width={52} height={12} />
      </span>
    </span>
  </span>
);
