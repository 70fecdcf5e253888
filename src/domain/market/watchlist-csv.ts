/** A line of an imported file. */
export interface CsvCoin {
  /** CoinMarketCap's id. */
  id: number | undefined;
  symbol: string;
  name: string;
}

/** Bytes of a file that can be imported. */
export const MAX_CSV = 1_000_000;

const BOM = '\uFEFF';
const COLUMNS = ['id', 'symbol', 'name'] as const;
/** Headings of other programs. */
const HEADINGS: Record<string, (typeof COLUMNS)[number]> = {
  id: 'id',
  ucid: 'id',
  symbol: 'symbol',
  ticker: 'symbol',
  coin: 'symbol',
  name: 'name',
};
/** Spreadsheets run a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const MAX_CELL = 200;

const cell = (text: string): string => {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Returns the coins as CSV with a heading: id, symbol, name. Begins with a BOM, for Excel. */
export const toCsv = (coins: readonly { id: number; symbol: string; name: string }[]): string =>
  BOM +
  [COLUMNS, ...coins.map(({ id, symbol, name }) => [String(id), symbol, name])].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Parses a CSV file with or without a heading, separated by commas, semicolons or tabs. Returns each coin once, in order. */
export function fromCsv(text: string): CsvCoin[] {
  const rows = parse(text.startsWith(BOM) ? text.slice(1) : text);
  const heading = rows[0]?.map((each) => HEADINGS[each.toLowerCase()]);
  const isHeaded = heading?.some((column) => column === 'id' || column === 'symbol') ?? false;
  const columns = (isHeaded ? heading : undefined) ?? ['symbol', 'name'];
  const found = new Map<string, CsvCoin>();
  for (const row of isHeaded ? rows.slice(1) : rows) {
    const value = (name: (typeof COLUMNS)[number]) => row[columns.indexOf(name)] ?? '';
    const id = /^\d{1,9}$/.test(value('id')) ? Number(value('id')) : undefined;
    const coin = { id, symbol: value('symbol'), name: value('name') };
    if (id === undefined && !coin.symbol) continue;
    const key = `${id ?? ''}\n${coin.symbol.toUpperCase()}\n${coin.name.toUpperCase()}`;
    if (!found.has(key)) found.set(key, coin);
  }
  return [...found.values()];
}

/** Splits text into rows of trimmed cells by RFC 4180. An unclosed quote ends with the text. */
function parse(text: string): string[][] {
  const separator = /[,;\t]/.exec(text.split(/\r?\n|\r/, 1)[0] ?? '')?.[0] ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const isQuoted = text[at] === '"';
    const { value, next } = isQuoted ? quoted(text, at + 1) : { value: '', next: at };
    let end = next;
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
    row.push(plain(value + text.slice(next, end)));
    if (text[end] !== separator) {
      rows.push(row);
      row = [];
      if (text[end] === '\r' && text[end + 1] === '\n') end += 1;
    }
    at = end + 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function quoted(text: string, start: number): { value: string; next: number } {
  let value = '';
  let at = start;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end === -1) return { value: value + text.slice(at), next: text.length };
    value += text.slice(at, end);
    if (text[end + 1] !== '"') return { value, next: end + 1 };
    value += '"';
    at = end + 2;
  }
}

/** Trims a cell, and removes the quote that `toCsv` puts before a formula. */
const plain = (value: string): string =>
  value
    .trim()
    .replace(/^'(?=[=+\-@\t\r])/, '')
    .slice(0, MAX_CELL);
