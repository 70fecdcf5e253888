import type { MarketSource } from '#contract/market/market.ts';

/** `21 Feb 2025`, UTC. */
export const dateOf = (time: number): string => new Date(time).toUTCString().slice(5, 16).replace(/^0/, '');

export const RISK = 'Not financial advice: crypto prices can fall fast, and you can lose all you put in.';

const DATA = 'Data: ';

/** Returns the end of every answer: time and source of the data, and the risk warning. */
export const ending = ({ asOf, name }: Pick<MarketSource, 'asOf' | 'name'>): string => {
  const time = Date.parse(asOf);
  return `${DATA}${dateOf(time)}, ${new Date(time).toISOString().slice(11, 16)} UTC, ${name}.\n\n${RISK}`;
};

/** Returns an answer without that end. */
export const withoutEnding = (answer: string): string =>
  answer.split(/\n\n(?:Data|Daten|Datos|Données|Dados|Veriler|데이터) ?: /)[0] ?? answer;
