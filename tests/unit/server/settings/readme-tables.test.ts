import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { envExample, settingsTable, withSettingsTables } from '#server/settings/readme-tables.ts';
import { SETTINGS, type Setting } from '#server/settings/settings.ts';

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');

test('the README has the tables that `npm run docs:settings` writes', () => {
  expect(withSettingsTables(readme)).toBe(readme);
});

test('.env.example is what `npm run docs:settings` writes, and changes nothing until it is edited', () => {
  const example = readFileSync(new URL('../../../../.env.example', import.meta.url), 'utf8');
  expect(envExample()).toBe(example);
  for (const name of Object.keys(SETTINGS)) expect(example).toContain(`\n# ${name}=`);
  expect(parseEnv(example)).toEqual({});
});

test('each setting has one row', () => {
  const rows = `${settingsTable('server')}\n${settingsTable('client')}`.match(/^\| `\w+`/gm) ?? [];
  expect(rows.map((row) => row.slice(3, -1)).sort()).toEqual(Object.keys(SETTINGS).sort());
});

test('keys, secrets and addresses with a password are marked as secret', () => {
  const marked = Object.entries<Setting>(SETTINGS).filter(([, { isSecret }]) => isSecret);
  const named = Object.keys(SETTINGS).filter(
    (name) =>
      !name.includes('PUBLIC') && /_KEY(_|$)|_(SECRET|PASSPHRASE|TOKEN|HEADERS)$|^(DATABASE(_LISTEN)?|REDIS|SMTP)_URL$|_KEY_/.test(name),
  );
  // The client build contains VITE_ settings, so none of them is secret.
  expect(marked.map(([name]) => name).sort()).toEqual(named.filter((name) => !name.startsWith('VITE_')).sort());
});

test('purposes have no pipe, which would end a cell, and no trailing period', () => {
  for (const { purpose } of Object.values<Setting>(SETTINGS)) expect(purpose).toMatch(/^[^|]*[^|.]$/);
});
