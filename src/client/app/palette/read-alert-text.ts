import { readAmount } from '#client/features/alerts/form/alert-input.ts';

interface AlertText {
  /** The rest of the text, which names the coin. */
  query: string;
  /** USD. */
  price: number | undefined;
  side: 'above' | 'below' | undefined;
}

const SIDES: Record<string, 'above' | 'below'> = { above: 'above', over: 'above', below: 'below', under: 'below' };
const FILLERS = new Set(['alert', 'alerts', 'at', 'for', 'on', 'when', 'if', 'set', 'price']);

/** Reads "alert btc 61250" or "btc alert below 55,000". Undefined for a text without the word. */
export function readAlertText(text: string): AlertText | undefined {
  const words = text.split(/\s+/);
  const lower = words.map((word) => word.toLowerCase());
  if (!lower.some((word) => word === 'alert' || word === 'alerts')) return undefined;
  const side = lower.map((word) => SIDES[word]).find(Boolean);
  const named = words.filter((_word, at) => !FILLERS.has(lower[at] ?? '') && !SIDES[lower[at] ?? '']);
  const last = named.at(-1);
  const price = last === undefined ? undefined : readAmount(last);
  const isPrice = price !== undefined && price > 0;
  return { query: (isPrice ? named.slice(0, -1) : named).join(' '), price: isPrice ? price : undefined, side };
}
