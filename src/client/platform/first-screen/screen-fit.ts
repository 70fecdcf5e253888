import { type LayoutFit, layoutFit } from './layout-fit.ts';

/** What a stored screen must match to be shown. */
export interface ScreenFit extends LayoutFit {
  build: string;
}

const MAIN_SCRIPT = 'script[type="module"][src^="/assets/"]';

/** Returns what the running page matches; undefined in development, where no screens are stored. */
export function screenFit(): ScreenFit | undefined {
  const build = document.querySelector(MAIN_SCRIPT)?.getAttribute('src');
  return build ? { build, ...layoutFit() } : undefined;
}
