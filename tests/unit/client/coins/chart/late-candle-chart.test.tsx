import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { LateCandleChart } from '#client/coins/chart/late-candle-chart.tsx';

vi.mock('#client/coins/chart/candle-chart.tsx', () => {
  throw new Error('The file is not on this device.');
});

it('names the text that replaces a chart whose code cannot load', async () => {
  render(<LateCandleChart candles={[]} count={1} label="Candles" onPoint={() => {}} otherwise="Its levels are below." />);
  expect(await screen.findByText('The chart could not be loaded. Its levels are below.')).toBeDefined();
});
