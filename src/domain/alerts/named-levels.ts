/** A price that a text names as a level. */
export interface NamedLevel {
  /** USD. */
  price: number;
  /** `level` if the text does not say whether it holds from below or from above. */
  kind: 'support' | 'resistance' | 'level';
}

const MAX_TEXT = 20_000;
const MAX_LEVELS = 20;

/** An amount in USD. Millions and more are market caps and volumes. */
const AMOUNT = /\$ ?(\d{1,3}(?:,\d{3}){1,4}|\d{1,13})(\.\d{1,20})?(?![\d,.]*\d)( ?(?:k|m|bn?|t|million|billion|trillion|thousand)\b)?/gi;
const KIND = /\b(?:(supports?)|(resistances?)|(?:levels?|targets?|breakouts?))\b/gi;
/** Rows of tables and lists belong to the heading above them. */
const ROW = /^\s*(?:\||[*+-] |\d{1,2}[.)])/;

/** Returns the levels that an answer in Markdown names in USD, each once, in their order. */
export function findNamedLevels(text: string): NamedLevel[] {
  const found = new Map<number, NamedLevel>();
  let section: NamedLevel['kind'] | undefined;
  for (const line of text.slice(0, MAX_TEXT).split('\n')) {
    const isRow = ROW.test(line);
    // A sentence about levels says nothing of prices in the next one.
    const parts = (isRow ? [line] : line.split(/(?<=[.!?]) /)).map((part) => ({ kinds: kindsIn(part), amounts: amountsIn(part) }));
    for (const { kinds, amounts } of parts) {
      // Further amounts of a row are distances or volumes.
      for (const { at, price } of kinds.length > 0 ? amounts : amounts.slice(0, 1)) {
        const kind = nearest(kinds, at) ?? (isRow ? section : undefined);
        if (kind && !found.has(price) && found.size < MAX_LEVELS) found.set(price, { price, kind });
      }
    }
    // A row is no heading.
    if (!isRow && line.trim() !== '') section = parts.every(({ amounts }) => amounts.length === 0) ? parts[0]?.kinds[0]?.kind : undefined;
  }
  return [...found.values()];
}

const kindsIn = (text: string) => [...text.matchAll(KIND)].map((match) => ({ at: match.index, kind: kindOf(match) }));
const amountsIn = (text: string) => [...text.matchAll(AMOUNT)].flatMap(amountOf);

const kindOf = ([, support, resistance]: RegExpMatchArray): NamedLevel['kind'] =>
  support ? 'support' : resistance ? 'resistance' : 'level';

function amountOf(match: RegExpMatchArray): { at: number; price: number }[] {
  const [, whole = '', part = '', unit = ''] = match;
  const name = unit.trim().toLowerCase();
  const factor = name === '' ? 1 : name === 'k' || name === 'thousand' ? 1000 : 0;
  const price = Number((Number(whole.replaceAll(',', '') + part) * factor).toPrecision(15));
  return price > 0 ? [{ at: match.index ?? 0, price }] : [];
}

/** Returns the kind that stands before an amount, otherwise the first behind it. */
function nearest(kinds: readonly { at: number; kind: NamedLevel['kind'] }[], at: number): NamedLevel['kind'] | undefined {
  return (kinds.findLast((each) => each.at < at) ?? kinds[0])?.kind;
}
