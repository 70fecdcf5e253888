import { chromium } from '@playwright/test';
import { routes } from '#client/app/routes.tsx';
import { chromiumArgs, findChromium } from '../support/browser/chromium.mjs';
import { type Mode, readIn } from '../support/browser/reading-modes.ts';
import { startApp } from '../support/processes/app.ts';
import { openDevice } from './devices.ts';
import { measure } from './measure.ts';
import { pointScenes, writeReview } from './review.ts';
import { ELSEWHERE, type Scene, scenes } from './scenes.ts';
import { type Shot, writeSheets } from './sheets.ts';

/** Heights of screens by width, CSS pixels. */
const HEIGHTS: Record<number, number> = { 360: 740, 390: 844, 768: 1024, 1280: 800 };
const HEIGHT = 800;
/** Height of the screen for full-page shots. */
const TALL = 2400;

/** Most errors listed per shot, because an overflow repeats in every parent. */
const MAX_PROBLEMS = 4;

export interface LookOptions {
  /** Output folder. */
  dir: string;
  /** Output folder of a run of another commit, for the review; empty for none. */
  before: string;
  /** Only shoots scenes whose title, such as `/chat: offline`, contains this. */
  only: string;
  /** Only shoots scenes that the points of the review name. */
  points: boolean;
  /** Widths, CSS pixels. */
  sizes: readonly number[];
  themes: readonly ('dark' | 'light')[];
  modes: readonly Mode[];
  say(line: string): void;
}

/** Takes screenshots of the scenes, device by device, and writes contact sheets. */
export async function look({ dir, before, only, points, sizes, themes, modes, say }: LookOptions): Promise<void> {
  const forgotten = routes.flatMap(({ paths }) => paths).filter((path) => !scenes.some(({ route }) => route === path));
  if (forgotten.length > 0) throw new Error(`No scene shows ${forgotten.join(', ')}.`);
  const unknown = pointScenes.filter((title) => !scenes.some((scene) => titleOf(scene) === title));
  if (unknown.length > 0) throw new Error(`points.ts names no scene: ${unknown.join(', ')}.`);
  const wanted = scenes.filter((scene) => titleOf(scene).includes(only) && (!points || pointScenes.includes(titleOf(scene))));
  /** Runs the scenes that a wanted scene needs, without a shot. */
  const isReached = (ofDevice: readonly Scene[], at: number): boolean => {
    const scene = ofDevice[at];
    if (!scene) return false;
    return wanted.includes(scene) || scene.leads === true || (ofDevice[at + 1]?.stays === true && isReached(ofDevice, at + 1));
  };

  const app = await startApp({ PAPER_SPEED: '3600' });
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArgs });
  const shots: Shot[] = [];
  try {
    for (const name of new Set(wanted.map(({ on }) => on))) {
      const device = await openDevice(browser, app, name);
      const ofDevice = scenes.filter(({ on }) => on === name);
      for (const [at, scene] of ofDevice.entries()) {
        if (!isReached(ofDevice, at)) continue;
        const title = titleOf(scene);
        try {
          await device.show(scene);
        } catch (error) {
          say(`${title}: not reached. ${error instanceof Error ? error.message.split('\n')[0] : error}`);
          continue;
        }
        if (!wanted.includes(scene)) continue;
        for (const theme of themes) {
          for (const mode of modes) {
            await readIn(device.page, mode, theme);
            for (const width of sizes) {
              await device.page.setViewportSize({ width, height: scene.tall ? TALL : (HEIGHTS[width] ?? HEIGHT) });
              const shot: Shot = { route: scene.route, scene: scene.name, width, theme, mode };
              shots.push(shot);
              const problems = await measure(device.page, dir, shot);
              for (const problem of problems.slice(0, MAX_PROBLEMS)) say(`${title} (${width}, ${theme}, ${mode}): ${problem}`);
            }
          }
        }
        await readIn(device.page, 'plain', 'dark');
        say(title);
      }
      await device.close();
    }
    await writeSheets(browser, dir, shots);
    await writeReview(dir, before, shots);
  } finally {
    await browser.close();
    await app.remove();
  }
}

const titleOf = ({ route, name }: Scene) => `${route === ELSEWHERE ? '404' : route}: ${name}`;
