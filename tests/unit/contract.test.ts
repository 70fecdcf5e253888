import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { quickest } from '../support/processes/cpu-time.ts';
import { HOSTILE_TEXTS } from '../support/texts/hostile-texts.ts';
import { isSchema, type Schema, type TextField, textFieldsOf } from '../support/texts/text-fields.ts';

const KB = 1024;
/** Ascending, so that a backtracking pattern fails the test instead of hanging it. */
const SIZES = [2 * KB, 8 * KB, 100 * KB];
const BOUND_MS = 50;

const modules: Record<string, Record<string, unknown>> = import.meta.glob('/src/contract/**/*.ts', { eager: true });
const SCHEMAS = Object.values(modules)
  .flatMap((module) => Object.entries(module))
  .filter((entry): entry is [string, Schema] => isSchema(entry[1]));
/** What clients send. The other schemas are answers of our own server. */
const REQUESTS = SCHEMAS.filter(([name]) => /(Body|Form|Query|Message|Params|Text)$/.test(name));

const isSlow = (schema: Schema, input: unknown): boolean => quickest(() => z.safeParse(schema, input), BOUND_MS) >= BOUND_MS;

function slowest(schema: Schema, fields: TextField[]): string[] {
  for (const size of SIZES) {
    const slow = fields.flatMap(({ path, holding }) =>
      Object.entries(HOSTILE_TEXTS)
        .filter(([, text]) => isSlow(schema, holding(text(size))))
        .map(([name]) => `${path}: ${name} of ${size}`),
    );
    if (slow.length > 0) return slow;
  }
  return [];
}

test('the schemas and their text fields are found', () => {
  expect(REQUESTS.map(([name]) => name)).toEqual(
    expect.arrayContaining(['loginBody', 'botForm', 'conversationQuery', 'chatMessage', 'idText']),
  );
  const fields = (name: string) => textFieldsOf(Object.fromEntries(SCHEMAS)[name] as Schema).map(({ path }) => path);
  expect(fields('loginBody')).toEqual(['.email', '.password']);
  expect(fields('createBotBody')).toContain('.config.asset');
  expect(fields('marketListQuery')).toContain('.priceMin|1[]');
});

test('an unknown kind of schema is an error', () => {
  expect(() => textFieldsOf(z.object({ at: z.date() }) as unknown as Schema)).toThrow('"date"');
});

test.each(SCHEMAS)(`%s takes less than ${BOUND_MS} ms for any text`, (_name, schema) => {
  expect(slowest(schema, textFieldsOf(schema))).toEqual([]);
});

test.each(REQUESTS)('%s refuses 100 KB in each text field', (_name, schema) => {
  const taken = textFieldsOf(schema).flatMap(({ path, keys, holding }) =>
    Object.entries(HOSTILE_TEXTS)
      .filter(([, text]) => !complaintsAbout(keys, z.safeParse(schema, holding(text(100 * KB)))))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(taken).toEqual([]);
});

/** Keeps the issues of one field. Other missing fields don't count. */
const complaintsAbout = (keys: string[], { error }: z.core.util.SafeParseResult<unknown>): boolean =>
  error?.issues.some(({ path }) => (path.length > 0 || keys.length === 0) && path.every((key, at) => String(key) === keys[at])) ?? false;

const sources: Record<string, string> = import.meta.glob('/src/**/*.{ts,tsx}', { eager: true, query: '?raw', import: 'default' });

test("no schema uses zod's own length checks, which also run on values of other types and throw", () => {
  const using = Object.entries(sources).filter(([, source]) => /z\.(min|max)Length\(|z\.(length|size|minSize|maxSize)\(/.test(source));
  expect(using.map(([file]) => file)).toEqual([]);
});

describe('values of other types', () => {
  const ODD: unknown[] = [
    { length: { toString: null } },
    { length: 1, trim: 1 },
    { size: {} },
    Object.create(null),
    [[[]]],
    Number.POSITIVE_INFINITY,
    Symbol.iterator,
  ];
  test.each(SCHEMAS)('%s refuses them and does not throw', (_name, schema) => {
    for (const odd of ODD) {
      expect(() => z.safeParse(schema, odd)).not.toThrow();
      for (const { holding } of textFieldsOf(schema)) expect(() => z.safeParse(schema, holding(odd))).not.toThrow();
    }
  });
});
