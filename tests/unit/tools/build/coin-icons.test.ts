import { existsSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { LOCAL_COINS } from '#client/coins/local-coins.ts';
import { coinIconFiles, coinIcons, isPlainSvg } from '#tools/build/coin-icons.ts';

const SNAPSHOT = 'src/server/ports/market-data/snapshot/coins.json';
const IDS = '/work/shared/data/market/cmc_ids_top1000_2026-08.csv';
const named = (id: number) => coinIcons.find((coin) => coin.id === id)?.name;

describe('the coin icons', () => {
  it('are the coins that the app knows', () => {
    expect(coinIcons.map(({ id }) => id)).toEqual([...LOCAL_COINS]);
  });

  it('name the same coin as the market does', () => {
    const { coins } = JSON.parse(readFileSync(SNAPSHOT, 'utf8')) as { coins: { id: number; name: string }[] };
    const known = coins.filter(({ id }) => named(id) !== undefined);
    expect(known.length).toBeGreaterThan(80);
    expect(known.map(({ id }) => named(id))).toEqual(known.map(({ name }) => name));
  });

  it.skipIf(!existsSync(IDS))('name the same coin as the ids of the top 1000', () => {
    const words = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    const listed = readFileSync(IDS, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','))
      .filter((cells) => cells.at(-1)?.trim() === 'symbol+name')
      .map(([, , name = '', id]) => ({ id: Number(id), name }));
    const known = listed.filter(({ id }) => named(id) !== undefined);
    expect(known.length).toBeGreaterThan(120);
    // A renamed coin shares a word with its old name.
    expect(known.filter(({ id, name }) => !words(named(id) ?? '').some((word) => words(name).includes(word)))).toEqual([]);
  });

  it('are not those of another coin with the same symbol', () => {
    const icons = coinIcons.map(({ icon }) => icon);
    for (const symbol of ['u', 'pi', 'lit', 'cc', 'sky', 'fet', 'beam', 'met']) expect(icons).not.toContain(`${symbol}-background`);
    expect(new Set(icons).size).toBe(icons.length);
  });

  it('are small pictures with their license', async () => {
    const files = await coinIconFiles();
    expect(files.size).toBe(coinIcons.length + 1);
    expect(files.get('coins/LICENSE.txt')).toContain('MIT License');
    const bitcoin = sharp(files.get('coins/1.webp'));
    expect(await bitcoin.metadata()).toMatchObject({ format: 'webp', width: 112, height: 112 });
    const corner = await bitcoin.extract({ left: 2, top: 2, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
    expect([...corner]).toEqual([0xf7, 0x93, 0x1a]);
    for (const file of files.values()) expect(file.length).toBeLessThan(8_000);
  });
});

describe('a plain picture', () => {
  it('is drawn of known elements', () => {
    expect(isPlainSvg('<g fill="none"><path fill="url(#a)" d="M0 0h24"/></g><use href="#b"/>')).toBe(true);
  });

  it.each([
    '<script>alert(1)</script>',
    '<path d="M0 0" onload="alert(1)"/>',
    '<foreignObject><p>text</p></foreignObject>',
    '<use href="https://example.com/a.svg#b"/>',
    '<path fill="url(https://example.com/a)" d="M0 0"/>',
    '<path style="background:url(https://example.com)" d="M0 0"/>',
    '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
    '<style>@import "https://example.com"</style>',
    '<path d="M0 0"',
    'words',
  ])('is not %s', (body) => {
    expect(isPlainSvg(body)).toBe(false);
  });
});
