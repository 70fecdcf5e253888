/** What a stored screen must match to be shown. public/first-screen.js compares theme and width. */
export interface ScreenFit {
  build: string;
  theme: string;
  width: string;
}

const MAIN_SCRIPT = 'script[type="module"][src^="/assets/"]';

/** Returns what the running page matches; undefined in development, where no screens are stored. */
export function screenFit(): ScreenFit | undefined {
  const build = document.querySelector(MAIN_SCRIPT)?.getAttribute('src');
  if (!build) return undefined;
  return { build, theme: localStorage.getItem('theme') ?? 'system', width: widthClass() };
}

/** The layouts of ui/theme/tokens.css and ui/layout/two-pane.module.css. */
function widthClass(): string {
  if (matchMedia('(width >= 1024px)').matches) return 'wide';
  return matchMedia('(width >= 768px)').matches ? 'medium' : 'narrow';
}
