import { act, fireEvent, render } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { CoinIcon } from '#client/coins/coin-icon.tsx';

const show = (id: number, symbol = 'BTC') => {
  const { container, rerender } = render(<CoinIcon id={id} name="Bitcoin" symbol={symbol} />);
  return { container, rerender, image: () => container.querySelector('img') };
};

describe('CoinIcon', () => {
  const fail = (image: HTMLImageElement | null) => fireEvent.error(image as HTMLImageElement);

  it('shows letters at once, then the loaded picture in the same place', () => {
    const { container, image } = show(1);
    expect(container.textContent).toBe('BTC');
    expect(image()?.getAttribute('src')).toBe('/coins/1.webp');
    expect(image()?.dataset.loaded).toBe('false');
    expect(image()?.getAttribute('width')).toBe('32');
    fireEvent.load(image() as HTMLImageElement);
    expect(image()?.dataset.loaded).toBe('true');
  });

  it('shows a picture that the browser already has in its first frame', () => {
    const complete = vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true);
    const width = vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValueOnce(64).mockReturnValue(0);
    expect(show(1).image()?.dataset.loaded).toBe('true');
    expect(show(2).image()?.dataset.loaded).toBe('false'); // complete without pixels: broken
    complete.mockRestore();
    width.mockRestore();
  });

  it('loads a picture that is not bundled from the provider: first with CORS, to cache it, then without', () => {
    const { container, image } = show(999_991);
    expect(image()?.getAttribute('src')).toBe('https://s2.coinmarketcap.com/static/img/coins/64x64/999991.png');
    expect(image()?.getAttribute('crossorigin')).toBe('anonymous');
    fail(image());
    expect(image()?.getAttribute('src')).toBe('https://s2.coinmarketcap.com/static/img/coins/64x64/999991.png');
    expect(image()?.hasAttribute('crossorigin')).toBe(false);
    fail(image());
    expect(image()).toBeNull();
    expect(container.textContent).toBe('BTC');
  });

  it('requests a missing picture only once, until the connection is back', () => {
    const first = show(999_992);
    fail(first.image());
    expect(show(999_992).image()?.hasAttribute('crossorigin')).toBe(false);
    fail(first.image());
    expect(show(999_992).image()).toBeNull();
    expect(show(999_993).image()).not.toBeNull();

    act(() => void dispatchEvent(new Event('online')));
    expect(first.image()?.hasAttribute('crossorigin')).toBe(true);
  });

  it('starts over when the coin changes', () => {
    const { rerender, image } = show(999_994);
    fail(image());
    rerender(<CoinIcon id={999_995} name="Ether" symbol="ETH" />);
    expect(image()?.getAttribute('src')).toContain('/999995.png');
    expect(image()?.hasAttribute('crossorigin')).toBe(true);
  });

  it.each([
    ['BTC', 'BTC'],
    ['usdt', 'USD'],
    ['$WIF', 'WIF'],
    ['🤡', 'BIT'],
  ])('writes %s as %s', (symbol, letters) => {
    expect(show(100, symbol).container.textContent).toBe(letters);
  });
});
