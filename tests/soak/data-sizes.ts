import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes and rows of each part of the data: a table with its indexes, or a folder. */
export type DataSizes = Record<string, { bytes: number; rows?: number }>;

/** Runs a statement without values. */
export type Query = (statement: string) => Promise<{ rows: unknown[] }>;

const TABLES = `
  select case when nspname in ('pg_catalog', 'information_schema') then nspname else nspname || '.' || relname end as name,
    pg_total_relation_size(pg_class.oid)::float8 as bytes
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace where relkind in ('r', 'm') and nspname <> 'pg_toast'`;

/** Reads the size of each table; those of the system count as one. */
export async function tableSizes(query: Query): Promise<DataSizes> {
  const sizes: DataSizes = {};
  for (const { name, bytes } of (await query(TABLES)).rows as { name: string; bytes: number }[]) {
    sizes[name] = { bytes: (sizes[name]?.bytes ?? 0) + bytes };
  }
  for (const [name, size] of Object.entries(sizes)) {
    if (!name.includes('.')) continue;
    const [row] = (await query(`select count(*)::float8 as rows from ${name}`)).rows as { rows: number }[];
    if (row) size.rows = row.rows;
  }
  return sizes;
}

/** Returns the bytes and files of a folder, nothing if it is missing. What is deleted meanwhile does not count. */
export function folderSize(folder: string): { bytes: number; rows: number } {
  let [bytes, rows] = [0, 0];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    const found = entry.isDirectory() ? folderSize(path) : { bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0, rows: 1 };
    bytes += found.bytes;
    rows += found.rows;
  }
  return { bytes, rows };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export interface DataGrowth {
  /** The whole data, before and after. */
  before: number;
  after: number;
  /** What grew, most first. */
  parts: { name: string; bytes: number; rows: number }[];
  /** Growth that belongs to no part. */
  rest: number;
}

/** Compares sizes of the same data. `whole` has the bytes of all of it. */
export function growthOf(before: { whole: number; parts: DataSizes }, after: { whole: number; parts: DataSizes }): DataGrowth {
  const parts = Object.entries(after.parts)
    .map(([name, { bytes, rows = 0 }]) => {
      const earlier = before.parts[name];
      return { name, bytes: bytes - (earlier?.bytes ?? 0), rows: rows - (earlier?.rows ?? 0) };
    })
    .filter(({ bytes }) => bytes !== 0)
    .sort((one, other) => other.bytes - one.bytes);
  const rest = after.whole - before.whole - parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return { before: before.whole, after: after.whole, parts, rest };
}
