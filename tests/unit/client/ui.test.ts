import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = (path: string) => readFileSync(`src/client/${path}`, 'utf8').replace(/\/\*.*?\*\//gs, '');
/** Returns the declarations of all rules with exactly this selector. */
const rule = (path: string, selector: string) =>
  [...css(path).matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, name, body]) => (name?.trim() === selector ? [body] : [])).join();
const token = (name: string) => new RegExp(`--${name}: (\\d+)px;`).exec(css('ui/theme/tokens.css'))?.[1];

it('modals are at most 440 px wide, lists in them 266 px high and inputs 48 px tall', () => {
  expect(['modal-width', 'list-height', 'control'].map(token)).toEqual(['440', '266', '48']);
  expect(rule('ui/overlays/dialog.module.css', '.dialog')).toContain('max-width: var(--modal-width)');
  expect(css('ui/fields/select-list.module.css')).toContain('max-height: var(--list-height)');
  expect(rule('ui/fields/field-frame.module.css', '.frame')).toContain('border: 1px');
  expect(rule('ui/fields/field.module.css', '.input')).toContain('height: calc(var(--control) - 2px)');
  for (const file of ['ui/fields/select.module.css', 'ui/fields/search-field.module.css'])
    expect(css(file)).toContain('height: var(--control)');
});

it('the composer grows up to three rows', () => {
  const text = rule('features/chat/compose/composer-text.module.css', '.text');
  const [, rows, borders] = /max-height: calc\(([\d.]+)rem \+ (\d+)px\)/.exec(text) ?? [];
  expect(Number(rows)).toBe(3 * Number(/line-height: ([\d.]+)rem/.exec(text)?.[1]));
  expect(Number(borders)).toBe(2 * Number(/border-block-width: (\d+)px/.exec(text)?.[1]));
});

it('line heights scale with the browser’s text size, except in the bell’s badge', () => {
  const files = readdirSync('src/client', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => /line-height: [\d.]+px/.test(css(file))).sort()).toEqual(['ui/buttons/bell.module.css']);
});

it('no style of the whole page depends on what is in it, because each new element would restyle all others', () => {
  const files = readdirSync('src/client', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  expect(files.filter((file) => /(?:html|body|:root|#root)[^\s,{]*:has\(/.test(css(file)))).toEqual([]);
});

it('the indicator’s frame fills the window below the header', () => {
  expect(rule('features/insight/indicator-frame.module.css', '.frame')).toContain('height: calc(100dvh - var(--header-height))');
  expect(rule('features/insight/indicator-frame.module.css', '.frame > iframe')).toMatch(/width: 100%;\s*height: 100%;/);
});

it('a form’s success message has the primary color', () => {
  expect(rule('features/account/form-success.module.css', '.success')).toContain('\n  color: var(--tide)');
});

it('a field with an error has the error color', () => {
  for (const file of ['ui/fields/field.module.css', 'features/chat/compose/composer.module.css'])
    expect(rule(file, '.box')).toMatch(/composes: frame from '.*field-frame\.module\.css'/);
  expect(rule('ui/fields/field-frame.module.css', '.frame:has([aria-invalid])')).toContain('border-color: var(--down)');
});
