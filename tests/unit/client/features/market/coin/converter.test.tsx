import { fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CoinDetails } from '#client/features/market/coin/coin-details.tsx';
import { signIn } from '#client/platform/session/session.ts';
import { broadcastSignOut } from '#client/platform/session/sign-out-in-other-tabs.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { quote } from '#tests/support/market/quotes.ts';
import { alone, closeMarket, coin, details, type FakeMarket, openMarket } from '../fake-market.tsx';

let market: FakeMarket;

beforeEach(async () => {
  ({ market } = await openMarket());
  market.details.set(1, details(coin(1, 'Bitcoin', 'BTC')));
});
afterEach(async () => {
  broadcastSignOut('ada');
  await closeMarket();
});

const open = () => render(alone(<CoinDetails id={1} />));
const converter = async () => within(await screen.findByRole('region', { name: 'Converter' }));
const field = async (unit: string) => (await converter()).getByRole<HTMLInputElement>('textbox', { name: `Amount in ${unit}` });
const type = async (unit: string, value: string) => fireEvent.change(await field(unit), { target: { value } });

describe('the converter of a coin', () => {
  it('converts both ways at the price of the page', async () => {
    open();
    expect((await field('USD')).value).toBe('1001');
    await type('BTC', '0.5');
    expect((await field('USD')).value).toBe('500.5');
    await type('USD', '2002');
    expect((await field('BTC')).value).toBe('2');
    expect((await field('USD')).value).toBe('2002');
  });

  it('says at the field what is wrong, and keeps the text', async () => {
    open();
    await type('USD', '1,000');
    expect((await field('USD')).value).toBe('1,000');
    expect((await field('BTC')).value).toBe('');
    expect((await field('USD')).getAttribute('aria-invalid')).toBe('true');
    expect((await field('BTC')).getAttribute('aria-invalid')).toBeNull();
    expect((await converter()).getByRole('alert').textContent).toBe('Enter an amount of at most 15 digits, such as 0.5 or 250k.');
    await type('USD', '');
    expect((await converter()).queryByRole('alert')).toBeNull();
  });

  it('keeps the amount while the user looks at other pages, until the sign-out', async () => {
    const first = open();
    await type('USD', '250k');
    first.unmount();
    const second = open();
    expect((await field('USD')).value).toBe('250k');
    second.unmount();
    broadcastSignOut('ada');
    open();
    expect((await field('BTC')).value).toBe('1');
  });

  it('has no amount of another user who signs in', async () => {
    const first = open();
    await type('USD', '250k');
    first.unmount();
    await signIn(makeTokens({ sub: 'eve' }), true);
    open();
    expect((await field('BTC')).value).toBe('1');
  });

  it('works offline at the stored price', async () => {
    open();
    await field('USD');
    market.offline = true;
    await type('BTC', '2');
    expect((await field('USD')).value).toBe('2002');
  });

  it('invents no figure while the price is unknown', async () => {
    market.details.set(1, details(coin(1, 'Bitcoin', 'BTC', { quote: { USD: quote({ price: null }) } })));
    open();
    expect((await field('USD')).value).toBe('');
    expect((await converter()).getByRole('status').textContent).toBe('The price of Bitcoin is unknown, so it cannot be converted.');
  });
});
