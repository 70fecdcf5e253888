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
