import { type FigureUnit, MAX_FIGURES } from '#contract/chat/answer-figures.ts';
import { told } from '#domain/analyst/answers/told.ts';
import type { ToolFigure } from './tools.ts';

const UNITS: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
};

/** Each part has a length limit, to prevent quadratic backtracking on long runs of digits. */
const NUMBER = String.raw`\d{1,20}(?:,\d{3}){0,6}(?:\.\d{1,20})?(?:e[+-]?\d{1,3})?`;
const UNIT = String.raw`(?:\s?(?:thousand|million|billion|trillion)\b|(?:bn|mn|tn|[kmbt])\b)?`;
/** Amounts of money and percentages: the figures that users act on. */
const CLAIM = new RegExp(
  String.raw`[$₿€£]\s?(${NUMBER})(${UNIT})|(${NUMBER})(${UNIT})\s?(?:%|percent\b|USDT?\b|dollars?\b|BTC\b|bitcoins?\b)`,
  'gi',
);
const ANY_NUMBER = new RegExp(`(${NUMBER})(${UNIT})`, 'gi');

/** Maximum relative deviation by rounding. */
const ROUNDING = 0.006;

interface Figure {
  value: number;
  /** Half a unit of the last shown digit: the maximum rounding error. */
  half: number;
}

function read(digits: string, unit: string | undefined): Figure {
  const factor = UNITS[unit?.trim().toLowerCase() ?? ''] ?? 1;
  const decimals = /\.(\d+)/.exec(digits)?.[1]?.length ?? 0;
  return { value: Number(digits.replaceAll(',', '')) * factor, half: 10 ** -decimals * factor };
}

/** What a claim of an answer is measured in. Undefined for a currency that no tool tells. */
function unitOf(claim: string): FigureUnit | undefined {
  if (/%|percent/i.test(claim)) return 'percent';
  if (/₿|BTC|bitcoin/i.test(claim)) return 'BTC';
  return /\$|USDT?|dollar/i.test(claim) ? 'USD' : undefined;
}

/** Characters before a claim in which it can name its coin. */
const CONTEXT = 200;
/** Figures of tools that claims are compared with. */
const MAX_KNOWN = 2_000;
const MAX_NEAR = 100;

/**
 * Marks the amounts and percentages of an answer that a tool told (`told` of the analyst's rules). With several coins, a claim is of the one
 * that its line names last before it. A claim that fits two figures equally well stays text.
 */
export function tieFigures(answer: string, known: readonly ToolFigure[]): string {
  const candidates = known.slice(0, MAX_KNOWN);
  const isOneCoin = new Set(candidates.map(({ names }) => names.join())).size === 1;
  let left = MAX_FIGURES;
  return answer.replace(CLAIM, (claim, money, moneyUnit, other, otherUnit, at: number) => {
    if (left-- <= 0) return claim;
    const near = nearest(candidates, read(money ?? other ?? '', money ? moneyUnit : otherUnit), unitOf(claim));
    const ofCoin = isOneCoin ? near : ofLastNamed(near, answer.slice(Math.max(0, at - CONTEXT), at));
    const distance = Math.min(...ofCoin.map((each) => each.distance));
    const [best, ...others] = ofCoin.filter((each) => each.distance === distance);
    return best && others.every(({ told: { label } }) => label === best.told.label) ? told(claim, best.told) : claim;
  });
}

interface Near extends ToolFigure {
  distance: number;
}

/** Returns the figures that a claim can mean; none if they are too many to tell apart. */
function nearest(known: readonly ToolFigure[], { value, half }: Figure, unit: FigureUnit | undefined): Near[] {
  const near: Near[] = [];
  for (const { told, names } of known) {
    if (told.unit !== unit || typeof told.value !== 'number') continue;
    const own = Math.abs(told.value);
    const distance = Math.abs(own - value);
    if (distance <= Math.max(ROUNDING * own, half)) near.push({ told, names, distance });
    if (near.length > MAX_NEAR) return [];
  }
  return near;
}

/** Returns the figures of the coin that the line before a claim names last; none if it names no coin. */
function ofLastNamed(near: readonly Near[], before: string): Near[] {
  const line = before.split('\n').at(-1)?.toLowerCase() ?? '';
  const places = new Map(near.flatMap(({ names }) => names).map((name) => [name, -1]));
  for (const name of places.keys()) places.set(name, lastWord(line, name.toLowerCase()));
  const last = Math.max(...places.values());
  return last < 0 ? [] : near.filter(({ names }) => names.some((name) => places.get(name) === last));
}

/** Returns where a line has a word last, or -1. */
function lastWord(line: string, word: string): number {
  const at = line.lastIndexOf(word);
  const isPart = /[\p{L}\p{N}]/u;
  return at < 0 || isPart.test(line.charAt(at - 1)) || isPart.test(line.charAt(at + word.length)) ? -1 : at;
}

/**
 * Finds the amounts and percentages of an answer that appear in none of its sources. An answer may round figures, but it
 * may not invent any.
 */
export function inventedFigures(answer: string, sources: readonly string[]): string[] {
  const numbers = sources.flatMap((source) => [...source.matchAll(ANY_NUMBER)].map(([, digits = '', unit]) => read(digits, unit).value));
  const known = [...new Set(numbers)];
  return [...answer.matchAll(CLAIM)]
    .filter(([, money, moneyUnit, other, otherUnit]) => {
      const { value, half } = read(money ?? other ?? '', money ? moneyUnit : otherUnit);
      return value !== 0 && !known.some((source) => Math.abs(source - value) <= Math.max(ROUNDING * source, half));
    })
    .map(([text]) => text);
}
