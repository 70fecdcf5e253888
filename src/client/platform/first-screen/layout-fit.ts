import { storedTheme } from '../device-choices/stored-theme.ts';

/** What the look of a stored screen depends on. */
export interface LayoutFit {
  theme: string;
  width: string;
  /** Minutes to UTC: the screen's times are of that time zone. */
  zone: string;
}

export const layoutFit = (): LayoutFit => ({ theme: storedTheme(), width: widthClass(), zone: String(new Date().getTimezoneOffset()) });

/** Returns whether a stored screen looks as the app would look here. */
export const isOfThisLayout = (fit: Partial<LayoutFit>): boolean =>
  Object.entries(layoutFit()).every(([name, here]) => fit[name as keyof LayoutFit] === here);

/** The layouts of ui/theme/tokens.css, ui/layout/two-pane.module.css and ui/hooks/use-columns.ts. */
function widthClass(): string {
  if (matchMedia('(width >= 1440px)').matches) return 'widest';
  if (matchMedia('(width >= 1024px)').matches) return 'wide';
  return matchMedia('(width >= 768px)').matches ? 'medium' : 'narrow';
}
