import { act, fireEvent, render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { CoinIcon } from '../../../../src/client/ui/coin-icon';

const show = (id: number, symbol = 'BTC') => {
  const { container, rerender } = render(<CoinIcon id={id} name="Bitcoin" symbol={symbol} />);
  return { container, rerender, image: () => container.querySelector('img') };
};

describe('CoinIcon', () => {
  it('shows letters at once and the picture once it is there, in the same place', () => {
    const { container, image } = show(1);
    expect(container.textContent).toBe('BTC');
    expect(image()?.getAttribute('src')).toBe('https://s2.coinmarketcap.com/static/img/coins/64x64/1.png');
    expect(image()?.dataset.loaded).toBe('false');
    expect(image()?.getAttribute('width')).toBe('32');
    fireEvent.load(image() as HTMLImageElement);
    expect(image()?.dataset.loaded).toBe('true');
  });

  it('asks for a picture that is not there only once, until the connection is back', () => {
    const first = show(2);
    fireEvent.error(first.image() as HTMLImageElement);
    expect(first.image()).toBeNull();
    expect(first.container.textContent).toBe('BTC');
    expect(show(2).image()).toBeNull();
    expect(show(3).image()).not.toBeNull();

    act(() => void dispatchEvent(new Event('online')));
    expect(first.image()).not.toBeNull();
  });

  it('starts afresh when it becomes another coin', () => {
    const { rerender, image } = show(4);
    fireEvent.error(image() as HTMLImageElement);
    rerender(<CoinIcon id={5} name="Ether" symbol="ETH" />);
    expect(image()?.getAttribute('src')).toContain('/5.png');
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
