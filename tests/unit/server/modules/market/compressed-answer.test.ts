import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseEncoding, createCompressedAnswer, matchesEtag } from '#server/modules/market/compressed-answer.ts';

describe('a compressed answer', () => {
  const content = { status: 200, data: Array.from({ length: 200 }, (_, id) => ({ id, name: '₿ coin' })) };
  const answer = createCompressedAnswer(content);

  it('has the same content in every encoding, each compressed once', async () => {
    const [plain, br, gzip] = await Promise.all([answer.bytes('identity'), answer.bytes('br'), answer.bytes('gzip')]);
    expect(JSON.parse(plain.toString())).toEqual(content);
    expect(brotliDecompressSync(br)).toEqual(plain);
    expect(gunzipSync(gzip)).toEqual(plain);
    expect(br.length).toBeLessThan(plain.length / 4);
    expect(await answer.bytes('br')).toBe(br);
  });

  it('derives its ETag from its content', () => {
    expect(answer.etag).toMatch(/^W\/"[\w-]{20,}"$/);
    expect(createCompressedAnswer(structuredClone(content)).etag).toBe(answer.etag);
    expect(createCompressedAnswer({ ...content, status: 201 }).etag).not.toBe(answer.etag);
  });
});

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, BR;q=0.5', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br; q=0.000, gzip; q=0', 'identity'],
  ['deflate', 'identity'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['*;q=0', 'identity'],
  ['identity', 'identity'],
])('Accept-Encoding %j selects %s', (header, encoding) => expect(chooseEncoding(header)).toBe(encoding));

it.each([
  ['W/"a"', true],
  ['"a"', true],
  ['"b", W/"a"', true],
  ['*', true],
  ['W/"b"', false],
  ['', false],
  [undefined, false],
])('If-None-Match %j matches W/"a": %s', (header, expected) => expect(matchesEtag(header, 'W/"a"')).toBe(expected));
