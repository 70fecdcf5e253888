import type { Dexie } from 'dexie';

/** A field's name, whether its value is whole, and what a damaged one reads as. */
type Rule = readonly [name: string, isWhole: (value: unknown) => boolean, other: unknown];

const isText = (value: unknown) => typeof value === 'string';
const isOptionalText = (value: unknown) => isText(value ?? '');
const isFigure = (value: unknown) => typeof (value ?? 0) === 'number';
const areQuotes = (value: unknown) => !!value && Object.values(value).every((quote) => Object.values(quote ?? {}).every(isFigure));
const isLine = (value: unknown) => !value || (Array.isArray(value) && value.every(isFigure));

/** The end of every list. */
const NO_TIME = new Date(0).toISOString();

/** By the name of the table. */
const RULES: Record<string, Rule[]> = {
  archives: [
    ['archive_title', isText, ''],
    ['created_at', isText, NO_TIME],
    ['preview', isOptionalText, undefined],
    ['pinned_at', isOptionalText, undefined],
  ],
  coins: [
    ['name', isText, ''],
    ['symbol', isText, ''],
    ['rank', isFigure, null],
    ['quote', areQuotes, {}],
    ['line_7d', isLine, null],
  ],
  coinLists: [
    ['ids', Array.isArray, []],
    ['source', Boolean, { name: '', asOf: NO_TIME }],
  ],
};

/**
 * Reads rows that another program or a broken disk has damaged as rows without the damaged fields, so that one of them does not take
 * down its page. The next answer of the server replaces them.
 */
export function readWholeRows(db: Pick<Dexie, 'table'>): void {
  for (const [table, rules] of Object.entries(RULES)) {
    db.table<Record<string, unknown>>(table).hook('reading', (row) => {
      let whole = row;
      for (const [name, isWhole, other] of rules) if (row && !isWhole(row[name])) whole = { ...whole, [name]: other };
      return whole;
    });
  }
}
