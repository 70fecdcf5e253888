import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepPlace, restorePlace } from '#client/platform/router/places.ts';
import { broadcastSignOut } from '#client/platform/session/sign-out-in-other-tabs.ts';
import { useGrowing } from '#client/platform/use-growing.ts';

const GROWTH = { first: 5, step: 10, rows: '[aria-label=Coins] > li' };

let frames: FrameRequestCallback[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  broadcastSignOut('grower'); // forgets the places
  vi.unstubAllGlobals();
});

/** Draws a frame and runs what follows it. */
const draw = () =>
  act(async () => {
    for (const frame of frames.splice(0)) frame(0);
    await new Promise((resolve) => setTimeout(resolve));
  });

const open = (key: string, size: number, growth: Parameters<typeof useGrowing>[2] = GROWTH) =>
  renderHook((given) => useGrowing(given.key, given.size, growth), { initialProps: { key, size } });

const visitBy = (type: string) => vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as never]);

it('renders all rows at once where the browser may scroll a reloaded page', () => {
  visitBy('reload');
  expect(open('a', 100).result.current).toBeGreaterThanOrEqual(100);
});

it('renders a screenful first on the first page of a visit', async () => {
  visitBy('navigate');
  const { result } = open('a', 12);
  expect(result.current).toBe(5);
  await draw();
  expect(result.current).toBeGreaterThanOrEqual(12);
});

it('adds rows that come later at once, or in steps', async () => {
  visitBy('navigate');
  const [atOnce, inSteps] = [open('a', 12), open('a', 12, { ...GROWTH, later: 'in-steps' })];
  await draw();
  for (const { rerender } of [atOnce, inSteps]) rerender({ key: 'a', size: 40 });
  expect(atOnce.result.current).toBeGreaterThanOrEqual(40);
  expect(inSteps.result.current).toBe(15);
  await draw();
  expect(inSteps.result.current).toBe(25);
  for (let frames = 0; frames < 3; frames++) await draw();
  expect(inSteps.result.current).toBeGreaterThanOrEqual(40);
});

it('has the rows of the stored screen first, and adds the rest once that is gone', async () => {
  visitBy('navigate');
  const other = `<ul>${'<li>Chat</li>'.repeat(9)}</ul>`;
  const list = `<ul aria-label="Coins">${'<li>Bitcoin<ol><li>rank 1</li></ol></li>'.repeat(7)}</ul>`;
  document.body.innerHTML = `<div id="first-screen">${other}${list}</div><div id="root"></div>`;
  const { result } = open('a', 12);
  expect(result.current).toBe(7);
  await draw();
  expect(result.current).toBe(7);
  document.getElementById('first-screen')?.remove();
  await draw();
  await draw();
  expect(result.current).toBeGreaterThanOrEqual(12);
});

it('renders a screenful after a tap, and the rest frame by frame', async () => {
  keepPlace(0, '/home', '');
  const { result, rerender } = open('a', 21);
  expect(result.current).toBe(5);
  await draw();
  expect(result.current).toBe(15);
  await draw();
  expect(result.current).toBeGreaterThanOrEqual(21);
  rerender({ key: 'a', size: 50 });
  expect(result.current).toBeGreaterThanOrEqual(50);
  rerender({ key: 'b', size: 50 });
  expect(result.current).toBe(5);
});

it('renders all rows where the user returns to a place below the top', () => {
  keepPlace(0, '/home', '');
  restorePlace({ pathname: '/crypto', search: '', scrolled: [900], focused: undefined });
  expect(open('a', 100).result.current).toBeGreaterThanOrEqual(100);
  dispatchEvent(new Event('wheel'));
  expect(open('b', 100).result.current).toBe(5);
});
