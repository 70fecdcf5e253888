import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { at } from '#tools/root.mjs';

const read = (file: string) => readFileSync(at(file), 'utf8');
const operations = read('docs/operations.md');

/** Returns the text of a section of docs/operations.md. */
const section = (heading: string): string => operations.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

describe('docs/operations.md', () => {
  test('says what to do for each alert of the rule file, and for no other', () => {
    const { groups } = parse(read('ops/alerts.yml')) as { groups: { rules: { alert: string }[] }[] };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const advice = [...section('Watch the server with Prometheus').matchAll(/^\| `(Tidemark\w+)` *\| \S+/gm)].map(([, alert]) => alert);
    expect(alerts.length).toBeGreaterThan(10);
    expect(advice.sort()).toEqual(alerts.sort());
  });

  test('says how long the rows of each table live that the cleanup deletes', () => {
    const tables = [...read('src/server/housekeeping/tidy.ts').matchAll(/deleteOld\(work, (\w+)\./g)].map(([, name = '']) =>
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    const kept = section('What is deleted, and when?');
    expect(tables.length).toBeGreaterThan(10);
    expect(tables.filter((table) => !kept.includes(`\`${table}\``))).toEqual([]);
  });
});
