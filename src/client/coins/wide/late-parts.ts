import { sortCoins } from '#domain/market/sort-coins.ts';
import { ColumnHeads } from './column-heads.tsx';
import { PriceLine } from './price-line.tsx';
import { WideCells } from './wide-cells.tsx';

/** What rows have beside their figures: lines, and columns where there is room. Loads after the rows. */
export const lateParts = { Line: PriceLine, Heads: ColumnHeads, Cells: WideCells, sortCoins };
export type LateParts = typeof lateParts;
