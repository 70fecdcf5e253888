import { readFileSync } from 'node:fs';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Change, Price } from '#client/coins/price.tsx';

describe('Change', () => {
  it.each([
    [1.314, 'up 1.31%', 1],
    [-2.5, 'down 2.50%', 1],
    [0, '0.00%', 0],
    [null, '–', 0],
    [undefined, '–', 0],
  ])('writes %s as %j with %i arrows', (value, text, arrows) => {
    const { container } = render(<Change value={value} />);
    expect(container.textContent).toBe(text);
    expect(container.querySelectorAll('svg')).toHaveLength(arrows);
  });

  it('draws up and down differently', () => {
    const path = (value: number) =>
      render(<Change value={value} />)
        .container.querySelector('path')
        ?.getAttribute('d');
    expect(path(1)).not.toBe(path(-1));
  });
});

it('colors rises and falls, and leaves other values plain', () => {
  const css = readFileSync('src/client/coins/price.module.css', 'utf8');
  const color = (way: string) =>
    new RegExp(`\\.${way},\\s*\\.change\\[data-way='${way}'\\] \\{\\s*color: var\\(--([\\w-]+)\\)`).exec(css)?.[1];
  expect(['up', 'down', 'flat'].map(color)).toEqual(['up', 'down', 'ink-2']);
});

describe('Price', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
  });

  const show = (first: number | null) => {
    const { rerender, container } = render(<Price value={first} currency="USD" />);
    const price = container.firstElementChild as HTMLElement;
    return {
      change: (value: number | null, currency: 'USD' | 'BTC' = 'USD') => rerender(<Price value={value} currency={currency} />),
      ground: () => price.dataset.tint,
    };
  };

  it('is formatted in its currency', () => {
    const { rerender } = render(<Price value={1234.567} currency="USD" />);
    screen.getByText('$1,234.56');
    rerender(<Price value={0.5} currency="BTC" />);
    screen.getByText('₿0.500000');
  });

  it('has no tint at first, then tints for 600 ms by its last direction', () => {
    const { change, ground } = show(100);
    expect(ground()).toBeUndefined();
    change(101);
    expect(ground()).toBe('up');
    vi.advanceTimersByTime(300);
    change(99);
    expect(ground()).toBe('down');
    vi.advanceTimersByTime(599);
    expect(ground()).toBe('down');
    vi.advanceTimersByTime(1);
    expect(ground()).toBeUndefined();
  });

  it('does not tint an invisible change, another currency, or a first price', () => {
    const { change, ground } = show(null);
    change(100);
    change(100.001);
    change(0.002, 'BTC');
    expect(ground()).toBeUndefined();
  });
});
