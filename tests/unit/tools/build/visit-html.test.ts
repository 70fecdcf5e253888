import { expect, it } from 'vitest';
import { visitHtml } from '#tools/build/visit-html.ts';

const HEAD =
  '<script  src="/theme.js"></script>\n<script type="module" src="/assets/a.js"></script>\n<link rel="stylesheet" href="/assets/a.css">';

it('moves the appearance and the styles behind the splash, and nothing else', () => {
  const html = visitHtml(`<head>\n${HEAD}\n</head><body><div id="root"></div><div class="boot"></div><noscript>x</noscript></body>`);
  expect(html).toBe(
    '<head>\n<script type="module" src="/assets/a.js"></script>\n</head><body><div id="root"></div><div class="boot"></div>' +
      '<script  src="/theme.js"></script><link rel="stylesheet" href="/assets/a.css"><noscript>x</noscript></body>',
  );
});

it('refuses a page without them', () => {
  expect(() => visitHtml('<head></head><noscript></noscript>')).toThrow('unexpected index.html');
  expect(() => visitHtml(`<head>${HEAD}</head>`)).toThrow('unexpected index.html');
});
