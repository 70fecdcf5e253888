import { expect, test, vi } from 'vitest';
import { isInView, scrolledParts } from '#client/platform/first-screen/screen-geometry.ts';

test('an element that the browser skips is out of view and not scrolled, and is not laid out', () => {
  document.body.innerHTML = '<ul><li><img alt=""></li></ul>';
  const [list, image] = [document.querySelector('ul') as Element, document.querySelector('img') as Element];
  const measure = vi.fn(() => ({ top: 0, bottom: 10, width: 10 }) as DOMRect);
  const scroll = vi.fn(() => 5);
  image.getBoundingClientRect = measure;
  Object.defineProperty(image, 'scrollTop', { get: scroll });
  let isDrawn = true;
  image.checkVisibility = () => isDrawn;
  expect(isInView(image)).toBe(true);
  expect(scrolledParts(list)).toEqual([image]);

  isDrawn = false;
  measure.mockClear();
  scroll.mockClear();
  expect(isInView(image)).toBe(false);
  expect(scrolledParts(list)).toEqual([]);
  expect(measure).not.toHaveBeenCalled();
  expect(scroll).not.toHaveBeenCalled();
});
