import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium } from '@playwright/test';
import sharp from 'sharp';
import { toCells } from '#domain/chart-reading/axis/cells.ts';
import { findGlyphs, type Glyph, heightOf, strengthOf } from '#domain/chart-reading/axis/glyphs.ts';
import { stripOf } from '#domain/chart-reading/axis/strip.ts';

const CHARACTERS = '0123456789KkMBTS$€£%';
const DIGITS = 10;
/** Inter comes with the app; the others are looked for on the machine (Debian: fonts-liberation, fonts-dejavu, fonts-noto-core). */
const INTER = 'Inter';
const TYPEFACES = [
  ...['Liberation Sans', 'DejaVu Sans', 'Noto Sans', INTER, 'Liberation Sans Narrow'],
  ...['Liberation Serif', 'DejaVu Sans Mono', 'Liberation Mono', 'DejaVu Sans Condensed', 'DejaVu Serif'],
];
const STEP = 60;
const WIDTH = 1210;
const HEIGHT = 60;
/** Less contrast than this is nothing; of the strongest, what a pixel of a character has; and fewer rows than these say nothing. */
const LEAST_CONTRAST = 15;
const PART = 0.4;
const LEAST_HEIGHT = 7;
const SHADES = 15;

/** Which characters have templates for how small differences (mean square), each the mean of how many drawings at least. */
const GROUPS = [
  { characters: '123456789', apart: 0.02, least: 4 },
  { characters: '0', apart: 0.015, least: 2 },
  { characters: 'KkM', apart: 0.04, least: 6 },
  { characters: '$', apart: 0.025, least: 4 },
  { characters: 'BS', apart: 0.04, least: 6 },
  { characters: 'T€£%', apart: 0.04, least: 6 },
];

interface Drawing {
  character: string;
  cells: number[];
}

/** `domain/chart-reading/axis/templates.ts`, made anew from this machine's typefaces as a browser and a drawing library draw them. */
export async function drawTemplates(executablePath: string): Promise<string> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  const drawings = [...(await drawnByBrowser(browser).finally(() => browser.close())), ...(await drawnBySharp())];
  const kept = GROUPS.flatMap(({ characters, apart, least }) =>
    cluster(
      drawings.filter(({ character }) => characters.includes(character)),
      apart,
    ).filter(({ count }) => count >= least),
  );
  const linesOf = (character: string) =>
    kept
      .filter((template) => template.character === character)
      .sort((a, b) => b.count - a.count)
      .map(({ cells }) => `    '${cells.map((value) => Math.round(value).toString(16)).join('')}',\n`)
      .join('');
  const keyOf = (character: string) => (/[\w$]/.test(character) ? character : `'${character}'`);
  return `/**
 * Characters as common typefaces draw them at 7 to 40 rows: 10 × 10 cells each, row by row, from 0 (empty) to f (filled), means of many
 * that look alike (made by tools/axis-templates). Beside digits and a K for thousands there is what must not be taken for one of them.
 */
export const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
${[...CHARACTERS].map((character) => `  ${keyOf(character)}: [\n${linesOf(character)}  ],\n`).join('')}};
`;
}

async function drawnByBrowser(browser: Browser): Promise<Drawing[]> {
  const file = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-standard-normal.woff2');
  const inter = `@font-face{font-family:${INTER};src:url(data:font/woff2;base64,${readFileSync(file, 'base64')});font-weight:100 900}`;
  const drawings: Drawing[] = [];
  for (const scale of [1, 2]) {
    const page = await browser.newPage({ deviceScaleFactor: scale, viewport: { width: WIDTH, height: HEIGHT } });
    for (const colours of ['background:#fff;color:#191919', 'background:#131722;color:#d1d4dc']) {
      for (const [weight, sizes] of [
        [400, [10, 11, 12, 13, 14, 16]],
        [600, [11, 12, 14]],
      ] as const) {
        for (const typeface of TYPEFACES) {
          for (const size of sizes) {
            const spans = [...CHARACTERS].map((character, at) => `<span style="left:${at * STEP + (at % 3) * 0.33}px">${character}</span>`);
            const font = `font:${weight} ${size}px '${typeface}'`;
            const span = `span{position:absolute;top:${20 + size / 16}px;width:${STEP}px;text-align:center;${font}}`;
            await page.setContent(`<style>${inter}body{margin:0;${colours}}${span}</style>${spans.join('')}`);
            await page.evaluate('document.fonts.ready');
            drawings.push(...(await take(await page.screenshot(), STEP * scale)));
          }
        }
      }
    }
    await page.close();
  }
  return drawings;
}

async function drawnBySharp(): Promise<Drawing[]> {
  const drawings: Drawing[] = [];
  for (const typeface of TYPEFACES.filter((name) => name !== INTER)) {
    for (const size of [10, 11, 12, 13, 14, 16, 20, 26]) {
      for (const aside of [0, 0.5]) {
        const texts = [...CHARACTERS].map(
          (character, at) => `<text x="${(at + 0.5) * STEP + aside}" y="${40 + aside}">${character}</text>`,
        );
        const style = `text-anchor="middle" font-family="${typeface}" font-size="${size}" fill="#222"`;
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#fff"/><g ${style}>${texts.join('')}</g></svg>`;
        drawings.push(...(await take(await sharp(Buffer.from(svg)).png().toBuffer(), STEP)));
      }
    }
  }
  return drawings;
}

/** The characters of one picture, each `step` columns from the next. */
async function take(picture: Buffer, step: number): Promise<Drawing[]> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const raster = { width: info.width, height: info.height, rgb: new Uint8Array(data), scale: 1 };
  const strip = stripOf(raster, { left: 0, right: info.width, top: 0, bottom: info.height });
  const full = Math.max(...findGlyphs(strip, LEAST_CONTRAST).map((glyph) => strengthOf(strip, glyph)));
  const parts = Array.from(CHARACTERS, () => [] as Glyph[]);
  for (const glyph of findGlyphs(strip, Math.round(PART * full))) parts[Math.floor((glyph.left + glyph.right) / 2 / step)]?.push(glyph);
  const whole = parts.map((glyphs, at) => (CHARACTERS[at] === '%' ? bounds(glyphs) : glyphs.sort((a, b) => heightOf(b) - heightOf(a))[0]));
  const heights = whole.slice(0, DIGITS).map((glyph) => (glyph ? heightOf(glyph) : 0));
  const height = heights.toSorted((a, b) => a - b)[DIGITS / 2] as number;
  if (height < LEAST_HEIGHT) return [];
  return whole.flatMap((glyph, at) => {
    // A digit that falls apart is no example.
    if (!glyph || (at < DIGITS && Math.abs(heightOf(glyph) - height) > 1)) return [];
    return { character: CHARACTERS[at] as string, cells: Array.from(toCells(strip, glyph, full), (value) => Math.round(SHADES * value)) };
  });
}

const bounds = (glyphs: readonly Glyph[]): Glyph => ({
  left: Math.min(...glyphs.map(({ left }) => left)),
  right: Math.max(...glyphs.map(({ right }) => right)),
  top: Math.min(...glyphs.map(({ top }) => top)),
  bottom: Math.max(...glyphs.map(({ bottom }) => bottom)),
});

/** The means of drawings that look alike: each joins the nearest, or begins another. */
function cluster(drawings: readonly Drawing[], apart: number): (Drawing & { count: number })[] {
  const clusters: (Drawing & { count: number })[] = [];
  for (const { character, cells } of drawings) {
    const distances = clusters.map((known) => (known.character === character ? difference(known.cells, cells) : Number.POSITIVE_INFINITY));
    const least = Math.min(...distances);
    const nearest = clusters[distances.indexOf(least)];
    if (!nearest || least > apart) clusters.push({ character, cells, count: 1 });
    else {
      nearest.cells = nearest.cells.map((value, at) => (value * nearest.count + (cells[at] as number)) / (nearest.count + 1));
      nearest.count++;
    }
  }
  return clusters;
}

const difference = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + ((value - (other[at] as number)) / SHADES) ** 2, 0) / one.length;
