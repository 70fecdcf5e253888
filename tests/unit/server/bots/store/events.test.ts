import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = path.resolve(import.meta.dirname, '../../../../../src/server');
/** Code that updates or deletes rows of the journal. */
const CHANGES = /\b(?:update|delete)\(botEvents\)|\b(?:update|delete from|truncate)\s+"?bot_events/i;

test("a bot's journal only grows: no server code updates or deletes its rows", () => {
  const files = fs.readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => ({ file, text: fs.readFileSync(path.join(SOURCE, file), 'utf8') }));
  expect(texts.filter(({ text }) => text.includes('insert(botEvents)')).length).toBeGreaterThan(1);
  expect(texts.filter(({ text }) => CHANGES.test(text)).map(({ file }) => file)).toEqual([]);
});

test.each(['tx.update(botEvents)', 'db.delete(botEvents)', 'delete from bot_events', 'UPDATE "bot_events" set'])('finds %s', (text) => {
  expect(CHANGES.test(text)).toBe(true);
});
