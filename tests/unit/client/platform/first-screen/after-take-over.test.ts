import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterTakeOver } from '#client/platform/first-screen/after-take-over.ts';

let frames: FrameRequestCallback[] = [];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
  document.body.innerHTML = '<div id="first-screen"></div><div id="root"></div>';
});
afterEach(() => vi.unstubAllGlobals());

const draw = async () => {
  for (const frame of frames.splice(0)) frame(0);
  await new Promise((resolve) => setTimeout(resolve));
};
const dropScreen = async () => {
  document.getElementById('first-screen')?.remove();
  await Promise.resolve();
};

test('waits for the end of the stored screen, then for a frame', async () => {
  const run = vi.fn();
  afterTakeOver(run);
  await draw();
  await draw();
  await dropScreen();
  await draw();
  expect(run).not.toHaveBeenCalled();
  await draw();
  expect(run).toHaveBeenCalledOnce();
});

test('without a stored screen, it waits for a frame', async () => {
  await dropScreen();
  const run = vi.fn();
  afterTakeOver(run);
  await draw();
  expect(run).toHaveBeenCalledOnce();
});

test('is canceled before and after the end of the stored screen', async () => {
  const run = vi.fn();
  afterTakeOver(run)();
  const cancel = afterTakeOver(run);
  await dropScreen();
  cancel();
  await draw();
  expect(run).not.toHaveBeenCalled();
});
