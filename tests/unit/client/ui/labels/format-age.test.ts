import { expect, it } from 'vitest';
import { formatAge } from '#client/ui/labels/format-age.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

it.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [60_000, '1 min ago'],
  [12 * 60_000, '12 min ago'],
  [3_600_000, '1 h ago'],
  [86_400_000, '1 d ago'],
  [-5_000, 'just now'],
])('formats an age of %d ms as %s', (age, text) => expect(formatAge(NOW - age, NOW)).toBe(text));
