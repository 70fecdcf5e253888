import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from '@playwright/test';

import type { Mode } from '../support/browser/reading-modes.ts';

export interface Shot {
  route: string;
  scene: string;
  width: number;
  theme: 'dark' | 'light';
  mode: Mode;
}

/** Largest width of a contact sheet at which details stay readable. */
const SHEET_WIDTH = 1600;
const GAP = 12;

const slug = (text: string) => text.replace(/[^a-z0-9]+/gi, '-').replace(/^-+|-+$/g, '') || 'root';

/** Path of a shot, relative to the output folder. */
export const pathOf = ({ route, scene, ...shot }: Shot): string => `${slug(route)}/${slug(scene)}-${lookOf(shot)}.png`;

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const STYLE = `
  body { width: ${SHEET_WIDTH}px; margin: 0; background: #808080; color: #fff; font: 600 13px/1.6 sans-serif; }
  section { display: flex; flex-wrap: wrap; align-items: start; gap: ${GAP}px; padding-block-end: ${GAP}px; }
  figure { margin: 0; }
  img { display: block; max-width: 788px; }
  a { color: inherit; }`;

export const document = (title: string, body: string) =>
  `<!doctype html><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${STYLE}</style>${body}`;

const lookOf = ({ width, theme, mode }: Pick<Shot, 'width' | 'theme' | 'mode'>) =>
  [width, theme, ...(mode === 'plain' ? [] : [mode])].join('-');

/** Writes one page per route with all its shots, one sheet per width and theme, and an `index.html`. */
export async function writeSheets(browser: Browser, dir: string, shots: readonly Shot[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: SHEET_WIDTH, height: 900 } });
  const routes = [...new Set(shots.map(({ route }) => route))];
  for (const route of routes) {
    const ofRoute = shots.filter((shot) => shot.route === route);
    const looks = [...new Set(ofRoute.map(lookOf))];
    const sections = looks.map((look) => {
      const figures = ofRoute
        .filter((shot) => lookOf(shot) === look)
        .map((shot) => `<figure><figcaption>${escapeHtml(shot.scene)}</figcaption><img src="${pathOf(shot)}" alt=""></figure>`);
      return `<h2>${escapeHtml(route)}, ${look}</h2><section id="${look}">${figures.join('')}</section>`;
    });
    const file = join(dir, `${slug(route)}.html`);
    await writeFile(file, document(route, sections.join('')));
    await page.goto(pathToFileURL(file).href);
    for (const look of looks) await page.locator(`[id="${look}"]`).screenshot({ path: join(dir, `${slug(route)}-${look}.png`) });
  }
  const links = routes.map((route) => `<li><a href="${slug(route)}.html">${escapeHtml(route)}</a></li>`);
  await writeFile(join(dir, 'index.html'), document('Tidemark', `<ul>${links.join('')}</ul>`));
  await page.close();
}
