import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import type { Plugin } from 'vite';
import { at } from '../root.mjs';

/** A coin by CoinMarketCap's id, with its name in the icon package. */
interface CoinIcon {
  id: number;
  name: string;
  icon: string;
}

interface IconSet {
  icons: Record<string, { body: string }>;
}

const FOLDER = 'coins';
/** Width of the drawings, and of the files: the largest logo on a screen (56 px) on a dense display. */
const [DRAWN, SIZE] = [24, 112];
/** Pixels per inch that draw an icon in its full size; 72 draw it in its own. */
const density = (72 * SIZE) / DRAWN;
/** SVG elements that can only draw: they run nothing, load nothing and link to nothing. */
const ELEMENTS = new Set([
  ...['g', 'path', 'circle', 'use', 'defs', 'clipPath', 'mask', 'linearGradient', 'radialGradient', 'stop'],
  ...['filter', 'feFlood', 'feBlend', 'feColorMatrix', 'feOffset', 'feGaussianBlur', 'feComposite'],
]);
const ATTRIBUTE = /\s+([\w:-]+)="([^"<>]*)"/g;
const TAG = /<\/?([a-zA-Z]+)((?:\s+[\w:-]+="[^"<>]*")*)\s*\/?>/g;

const isPlainAttribute = (name: string, value: string): boolean => {
  if (/^on/i.test(name)) return false;
  if (name === 'style') return /^mask-type:\s*(luminance|alpha);?$/.test(value);
  if (name === 'href' || name === 'xlink:href') return value.startsWith('#');
  return !/[&\\@]|javascript:/i.test(value) && !/url\((?!#)/i.test(value);
};

/** Tests that SVG content only draws: known elements, no text, no handlers, no addresses. */
export function isPlainSvg(body: string): boolean {
  if (body.replace(TAG, '').trim() !== '') return false;
  return [...body.matchAll(TAG)].every(
    ([, element = '', attributes = '']) =>
      ELEMENTS.has(element) && [...attributes.matchAll(ATTRIBUTE)].every(([, name = '', value = '']) => isPlainAttribute(name, value)),
  );
}

/** Coins whose logo ships with the app. By id, because unrelated coins share symbols. */
export const coinIcons: readonly CoinIcon[] = JSON.parse(readFileSync(at('src/tools/build/coin-icons.json'), 'utf8'));

/** The browser builds a document on the main thread for each SVG picture. It decodes WebP off the main thread. */
const drawIcon = (body: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 ${DRAWN} ${DRAWN}">${body}</svg>`,
    ),
    { density },
  )
    .resize(SIZE, SIZE)
    .webp({ lossless: true, effort: 2 })
    .toBuffer();

/** Returns the files to serve, by path. Throws for an icon that is missing or not plain. */
export async function coinIconFiles(): Promise<Map<string, string | Buffer>> {
  const { icons } = createRequire(import.meta.url)('@iconify-json/token-branded/icons.json') as IconSet;
  const files = coinIcons.map(async ({ id, name, icon }): Promise<[string, Buffer]> => {
    const body = icons[icon]?.body;
    if (body === undefined || !isPlainSvg(body)) throw new Error(`The icon ${icon} of ${name} is missing or not plain.`);
    return [`${FOLDER}/${id}.webp`, await drawIcon(body)];
  });
  const license = readFileSync(at('src/tools/build/coin-icons.LICENSE'), 'utf8');
  return new Map<string, string | Buffer>(await Promise.all(files)).set(`${FOLDER}/LICENSE.txt`, license);
}

/** Adds the logos to the build and to the development server. */
export function coinIconsPlugin(): Plugin {
  return {
    name: 'coin-icons',
    async generateBundle() {
      for (const [fileName, source] of await coinIconFiles()) this.emitFile({ type: 'asset', fileName, source });
    },
    async configureServer(server) {
      const files = await coinIconFiles();
      server.middlewares.use((request, response, next) => {
        const source = files.get((request.url ?? '').slice(1));
        if (source === undefined) return next();
        response.setHeader('Content-Type', typeof source === 'string' ? 'text/plain; charset=utf-8' : 'image/webp');
        response.end(source);
      });
    },
  };
}
