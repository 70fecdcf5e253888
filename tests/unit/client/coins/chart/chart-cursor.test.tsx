import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChartCursor } from '#client/coins/chart/chart-cursor.tsx';
import { dailyCandles } from '#tests/support/market/daily-candles.ts';

const { candles } = dailyCandles(30);
const moves = vi.fn();
const slider = () => screen.getByRole('slider', { name: 'Candle' });
const press = (key: string) => fireEvent.keyDown(slider(), { key });

beforeEach(() => {
  vi.useFakeTimers();
  render(<ChartCursor candles={candles} speak={({ close }) => `close ${close}`} onMove={moves} />);
  act(() => slider().focus());
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  moves.mockReset();
});

it('moves over the candles by keyboard and stops at the ends', () => {
  for (const key of ['Home', 'ArrowLeft', 'ArrowRight', 'PageDown', 'PageUp', 'End', 'ArrowRight', 'ArrowDown', 'ArrowUp']) press(key);
  expect(moves.mock.calls.flat()).toEqual([29, 0, 0, 1, 11, 1, 29, 29, 28, 29]);
});

it('speaks only the candle that the cursor rests on', () => {
  press('Home');
  for (let moved = 0; moved < 5; moved += 1) press('ArrowRight');
  expect(slider().getAttribute('aria-valuenow')).toBe('29');
  act(() => void vi.advanceTimersByTime(200));
  expect(slider().getAttribute('aria-valuenow')).toBe('5');
  expect(slider().getAttribute('aria-valuetext')).toBe(`close ${candles[5]?.close}`);
});

it('hides the cursor on Escape and when the focus leaves, and keeps keys of the browser', () => {
  press('Home');
  press('Escape');
  expect(moves).toHaveBeenLastCalledWith(undefined);
  expect(fireEvent.keyDown(slider(), { key: 'ArrowLeft', altKey: true })).toBe(true);
  act(() => slider().blur());
  expect(moves).toHaveBeenLastCalledWith(undefined);
});
