import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coinHue } from '#client/coins/coin-icon.tsx';

type Rgb = readonly [number, number, number];
const AA_TEXT = 4.5;
const AA_CONTROL = 3;
const AAA_TEXT = 7;

const [css = '', more = ''] = readFileSync('src/client/ui/theme/tokens.css', 'utf8').split('@media (prefers-contrast: more)');
const tokensOf = (text: string) =>
  new Map(
    [...text.matchAll(/--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
      name,
      { light, dark },
    ]),
  );
const tokens = tokensOf(css);
/** With `prefers-contrast: more`. */
const strongTokens = new Map([...tokens, ...tokensOf(more)]);

function color(name: string, theme: 'light' | 'dark', of = tokens): Rgb {
  const hex = of.get(name)?.[theme];
  if (!hex) throw new Error(`no token --${name}`);
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Rgb;
}

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

const GROUNDS = ['bg', 'surface', 'surface-2'];
const TEXT_PAIRS: [text: string, grounds: string[]][] = [
  ['ink', [...GROUNDS, 'tide-soft', 'up-soft', 'down-soft', 'warn-soft']],
  ['ink-2', GROUNDS],
  ['tide', [...GROUNDS, 'tide-soft']],
  ['up', [...GROUNDS, 'up-soft']],
  ['down', [...GROUNDS, 'down-soft']],
  ['warn', [...GROUNDS, 'warn-soft']],
  ['on-tide', ['tide']],
  ['on-down', ['down']],
  ['bg', ['ink']], // toasts
];

describe.each(['dark', 'light'] as const)('the %s theme', (theme) => {
  it.each(TEXT_PAIRS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    'passes AA for %s on %s',
    (text, ground) => {
      expect(contrast(color(text, theme), color(ground, theme))).toBeGreaterThanOrEqual(AA_TEXT);
    },
  );

  it.each(GROUNDS.flatMap((ground) => ['edge', 'tide', 'down'].map((line) => [line, ground] as const)))(
    'shows the outline %s on %s',
    (line, ground) => {
      expect(contrast(color(line, theme), color(ground, theme))).toBeGreaterThanOrEqual(AA_CONTROL);
    },
  );
});

describe.each(['dark', 'light'] as const)('the %s theme with more contrast', (theme) => {
  const strong = (name: string) => color(name, theme, strongTokens);

  it.each(TEXT_PAIRS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    'passes AAA for %s on %s',
    (text, ground) => {
      expect(contrast(strong(text), strong(ground))).toBeGreaterThanOrEqual(AAA_TEXT);
    },
  );

  it.each(GROUNDS)('shows lines and outlines on %s as strongly as text', (ground) => {
    for (const line of ['line', 'edge']) expect(contrast(strong(line), strong(ground))).toBeGreaterThanOrEqual(AA_TEXT);
  });
});

describe('the initials of a coin', () => {
  const [, saturation, lightness] =
    /hsl\(var\(--hue\) (\d+)% (\d+)%\)/.exec(readFileSync('src/client/coins/coin-icon.module.css', 'utf8')) ?? [];

  it('are readable on every hue', () => {
    for (let hue = 0; hue < 360; hue += 1) {
      expect(contrast([1, 1, 1], hsl(hue, Number(saturation) / 100, Number(lightness) / 100)), `hue ${hue}`).toBeGreaterThanOrEqual(
        AA_TEXT,
      );
    }
  });

  it('have a background hue that depends only on the id', () => {
    expect(coinHue(1027)).toBe(coinHue(1027));
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(coinHue)).size).toBe(8);
    for (const id of [0, 1, 999_999]) expect(coinHue(id)).toBeLessThanOrEqual(360);
  });
});
