import type { Locator, Page } from '@playwright/test';

export const dailyChart = (page: Page): Locator => page.getByRole('img', { name: /^Daily candles of / });

/** Counts the pixels of a chart with exactly this color. */
export const dotsOf = (chart: Locator, color: readonly [number, number, number]): Promise<number> =>
  chart.evaluate(
    (box, [red, green, blue]) =>
      [...box.querySelectorAll('canvas')].reduce((sum, canvas) => {
        const dots =
          canvas.width > 0 && canvas.height > 0 ? canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data : [];
        let found = 0;
        for (let at = 0; dots && at < dots.length; at += 4) {
          if (dots[at] === red && dots[at + 1] === green && dots[at + 2] === blue) found++;
        }
        return sum + found;
      }, 0),
    color,
  );
