import { expect, test } from 'vitest';
import { LINE_POINTS } from '#contract/market/choices.ts';
import { marketListAnswer } from '#contract/market/market.ts';
import { marketListCheck } from '#contract/market/market-list-check.ts';

const QUOTE = {
  price: 1.5,
  market_cap: 2,
  volume_24h: 3,
  volume_change_24h: null,
  fully_diluted_market_cap: 5,
  percent_change_1h: -1,
  percent_change_24h: 0,
  percent_change_7d: 7,
  percent_change_30d: 8,
  percent_change_60d: 9,
  percent_change_90d: null,
};
const COIN = { id: 1, symbol: 'BTC', name: 'Bitcoin', rank: 1, quote: { USD: QUOTE, BTC: QUOTE }, line_7d: Array(LINE_POINTS).fill(1) };
const SOURCE = { name: 'Demo snapshot', demo: true, asOf: '2026-11-29T00:00:00Z', stale: false };
const ANSWER = { status: 200, data: { data: [COIN, { ...COIN, id: 2 }], source: SOURCE, matches: 2 } };

/** Values of each type in JSON. JSON.parse reads 1e999 as infinite. */
const VALUES = ['null', 'true', '0', '-2.5', '1e999', '"text"', '[]', '[1]', '{}', '{"USD":{}}'].map((text): unknown => JSON.parse(text));

/** Returns copies of a value, each with one part replaced or left out. */
function* variants(value: unknown): Generator<unknown> {
  yield* VALUES;
  if (Array.isArray(value)) {
    yield [...value, value[0]];
    yield value.slice(1);
    for (const part of variants(value.at(-1))) yield [...value.slice(0, -1), part];
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unknown: 1 };
    for (const [name, field] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
      for (const part of variants(field)) yield { ...value, [name]: part };
    }
  }
}

test('the check of a market list accepts what its schema accepts, whatever part of an answer differs', () => {
  const all = [...variants(ANSWER)];
  const accepted = all.filter((each) => marketListAnswer.safeParse(each).success);
  expect(all.filter((each) => marketListCheck.safeParse(each).success)).toEqual(accepted);
  expect(accepted.length).toBeGreaterThan(50);
  expect(all.length - accepted.length).toBeGreaterThan(300);
});

test('the check returns the answer itself', () => {
  expect(marketListCheck.safeParse(ANSWER)).toEqual({ success: true, data: ANSWER });
  expect(marketListAnswer.safeParse(ANSWER).data).toEqual(ANSWER);
});
