import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { POINTS } from './points.ts';
import { document, escapeHtml, pathOf, type Shot } from './sheets.ts';

/** Titles of the scenes that the points name. */
export const pointScenes: readonly string[] = POINTS.flatMap(({ scene }) => scene ?? []);

/**
 * Writes `review.html`: each point of the review with its pictures. `before` is the output folder of a run of another commit, whose
 * pictures of the same scenes stand in front; empty for none.
 */
export async function writeReview(dir: string, before: string, shots: readonly Shot[]): Promise<void> {
  const figure = (caption: string, src: string) =>
    `<figure><figcaption>${caption}</figcaption><img src="${escapeHtml(src)}" alt=""></figure>`;
  const sections = POINTS.map(({ text, scene, was = '', note }) => {
    const [route, name] = was.split(': ');
    const figures = shots
      .filter((shot) => `${shot.route}: ${shot.scene}` === scene)
      .flatMap((shot) => {
        const path = pathOf(shot);
        const pictures = [shot, ...(route && name ? [{ ...shot, route, scene: name }] : [])].map((each) => join(before, pathOf(each)));
        const earlier = pictures.find((picture) => existsSync(picture));
        const size = `${shot.width} px, ${shot.theme}, ${shot.mode}`;
        const first = before && earlier ? [figure(`Before, ${size}`, relative(dir, earlier))] : [];
        return [...first, figure(`After, ${size}`, path)];
      });
    const missing = scene && figures.length === 0 ? `This run has no picture of ${scene}.` : '';
    return `<h2>${escapeHtml(text)}</h2><p>${escapeHtml([note, missing].filter(Boolean).join(' '))}</p><section>${figures.join('')}</section>`;
  });
  await writeFile(join(dir, 'review.html'), document('The 25 points of the review', sections.join('')));
}
