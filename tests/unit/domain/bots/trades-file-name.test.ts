import { expect, it } from 'vitest';
import { tradesFileName } from '#domain/bots/trades-file-name.ts';

it.each([
  ['Tide one', 'tidemark-Tide-one-trades.csv'],
  ['../../etc/"passwd"\r\n', 'tidemark-etc-passwd-trades.csv'],
  ['Flut 漲潮 🌊', 'tidemark-Flut-漲潮-trades.csv'],
  ['\u202e.exe', 'tidemark-exe-trades.csv'],
  ['🌊', 'tidemark-bot-trades.csv'],
  ['𝒜'.repeat(60), `tidemark-${'𝒜'.repeat(40)}-trades.csv`],
])('names the file of the bot %j', (name, file) => {
  expect(tradesFileName(name)).toBe(file);
  expect(() => encodeURIComponent(file)).not.toThrow();
});
