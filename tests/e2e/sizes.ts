export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
export const DESKTOP = { viewport: { width: 1280, height: 800 }, hasTouch: false };

/**
 * Layouts differ by width: the tests of a few files run once per size, all others on a phone. A test whose rule holds at any size
 * takes `again` as its tag: `npm run nightly` repeats it on a desktop.
 */
export const SIZES = [
  { size: 'phone', use: PHONE, again: [] },
  { size: 'desktop', use: DESKTOP, again: ['@nightly'] },
];
