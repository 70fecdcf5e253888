import { expect, test } from 'vitest';
import { findNamedLevels } from '#domain/alerts/named-levels.ts';

const named = (text: string) => findNamedLevels(text).map(({ kind, price }) => `${kind} ${price}`);

const TABLES = `**Bitcoin (BTC)** is at **$60,000.00**.

**Resistance above**

| Level | Distance | Touches | Last touch |
|---|---|---|---|
| $61,250.00 | +2.08% | 3 | 2026-11-20 |

**Support below**

| Level | Distance | Touches | Last touch |
|---|---|---|---|
| $58,000.50 | -3.33% | 2 | 2026-11-18 |
| $0.00001234 | -99.00% | 2 | 2026-11-18 |

Prices within 1.5% form one level. It traded at $59,000.00 today.`;

test('the tables of the built-in analyst name levels by their headings, and other prices are none', () => {
  expect(named(TABLES)).toEqual(['resistance 61250', 'support 58000.5', 'support 0.00001234']);
});

test.each([
  ['Support is near $58,000 and resistance at $61,250.', ['support 58000', 'resistance 61250']],
  ['Watch the $58k support.', ['support 58000']],
  ['My target is $70,000.', ['level 70000']],
  ['Key levels:\n- $61,250\n- $58,000', ['level 61250', 'level 58000']],
  ['Support:\n1. $58,000 (3 touches)\n2. $57,000', ['support 58000', 'support 57000']],
  ['Support $58,000, again support $58,000.', ['support 58000']],
])('%j names %j', (text, levels) => {
  expect(named(text)).toEqual(levels);
});

test.each([
  '',
  'Bitcoin costs $60,000.',
  'The support team answers. It costs $20.'.replace('. It', '.\nIt'),
  'At this level the market cap is $1.2T and the volume $35 billion.',
  'Resistance above: none in these candles.',
  'Support at 58,000 without a currency.',
  'Support at $58.000,50.',
  'Support at $0.',
])('%j names none', (text) => {
  expect(named(text)).toEqual([]);
});

test('a long answer costs little, and gives 20 levels at most', () => {
  const text = Array.from({ length: 50_000 }, (_each, at) => `Support at $${at + 1}, `).join('\n');
  expect(findNamedLevels(text)).toHaveLength(20);
  expect(named(`Support ${'$1,'.repeat(100_000)}`)).toEqual(['support 1']);
  expect(findNamedLevels(`Support $${'1'.repeat(100_000)}`)).toEqual([]);
});
