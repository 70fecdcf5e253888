import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import MarketPage from '#client/features/market/list/market-page.tsx';
import { serializeScreen } from '#client/platform/first-screen/serialize-screen.ts';
import { history } from '#client/platform/router/history.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { quote } from '#tests/support/market/quotes.ts';
import { alone, closeMarket, coin, details, type FakeMarket, openMarket } from '../fake-market.tsx';

let market: FakeMarket;

beforeEach(async () => {
  ({ market } = await openMarket());
});

afterEach(async () => {
  document.getElementById('first-screen')?.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await closeMarket();
});

const row = (name: string) => screen.findByRole('link', { name: new RegExp(name) });

describe('the market list', () => {
  it('shows symbol, price, change and market cap of each coin, and links to its page', async () => {
    market.coins = [coin(5, 'Render', 'RENDERED'), coin(6, 'Fall', 'FALL', { quote: { USD: quote({ percent_change_24h: -2.5 }) } })];
    render(alone(<MarketPage />));
    const first = await row('Render');
    expect(first.getAttribute('href')).toBe('/crypto/details/5');
    expect(first.textContent).toMatch(/RENDER(?!E).*MCap \$2\.0M.*\$1,005\.00.*up 1\.50%/);
    expect((await row('Fall')).textContent).toMatch(/MCap –.*–.*down 2\.50%/);
    expect(screen.getByRole('link', { name: 'Search coin...' }).getAttribute('href')).toBe('/crypto/crypto-search');
    expect(screen.getByRole('link', { name: 'New Chat' }).getAttribute('href')).toBe('/chat');
    // The list says it first; the coin that opens beside it says it too.
    expect(screen.getAllByText('Demo data')).toBeDefined();
  });

  it('does not mark a live market as a demo', async () => {
    market.source = { ...market.source, demo: false };
    market.coins = [coin(1, 'Bitcoin', 'BTC')];
    render(alone(<MarketPage />));
    await row('Bitcoin');
    expect(screen.queryByText('Demo data')).toBeNull();
  });

  it('shows figures in BTC if there are none in USD', async () => {
    market.coins = [coin(5, 'Rare', 'RARE', { quote: { BTC: quote({ price: 0.5, market_cap: 1000 }) } })];
    render(alone(<MarketPage />));
    expect((await row('Rare')).textContent).toMatch(/MCap ₿1\.0K.*₿0\.500000/);
  });

  it('says when there are no coins', async () => {
    render(alone(<MarketPage />));
    expect(await screen.findByText('No data found!')).toBeDefined();
  });

  it('says why it failed to load, and retries', async () => {
    market.offline = true;
    render(alone(<MarketPage />));
    expect((await screen.findByRole('alert')).textContent).toContain('The market could not be loaded');
    market.offline = false;
    market.coins = [coin(1, 'Bitcoin', 'BTC')];
    act(() => screen.getByRole('button', { name: 'Try again' }).click());
    await row('Bitcoin');
  });

  it('is readable offline', async () => {
    market.coins = [coin(1, 'Bitcoin', 'BTC')];
    const first = render(alone(<MarketPage />));
    await row('Bitcoin');
    first.unmount();
    market.offline = true;
    render(alone(<MarketPage />));
    await row('Bitcoin');
    expect(await screen.findAllByText(/^Offline · saved/)).toBeDefined();
  });

  it('has as many rows as the stored screen when it takes over, whatever other lists that has', async () => {
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'navigate' } as never]);
    market.coins = Array.from({ length: 60 }, (_, at) => coin(at + 1, `Coin ${at + 1}`, `C${at + 1}`));
    const before = render(alone(<MarketPage />));
    await row('Coin 60');
    const list = screen.getByRole('list', { name: 'Coins' });
    const html = serializeScreen(list, (element) => [...list.children].indexOf(element) >= 20);
    before.unmount();
    document.body.innerHTML = `<div id="first-screen">${html}<ul>${'<li>Tag</li>'.repeat(10)}</ul></div>`;
    const { container } = render(alone(<MarketPage />));
    await within(container).findByRole('link', { name: /Coin 1 / });
    expect(container.querySelectorAll('[aria-label="Coins"] > li')).toHaveLength(20);
  });

  it.each([
    [640, 8],
    [1600, 20],
  ])('begins in a window of %s px with %s rows, and has the others later', async (height, rows) => {
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'navigate' } as never]);
    vi.stubGlobal('innerHeight', height);
    market.coins = Array.from({ length: 60 }, (_, at) => coin(at + 1, `Coin ${at + 1}`, `C${at + 1}`));
    document.body.innerHTML = '<div id="first-screen"></div>';
    const { container } = render(alone(<MarketPage />));
    await within(container).findByRole('link', { name: /Coin 1 / });
    expect(container.querySelectorAll('[aria-label="Coins"] > li')).toHaveLength(rows);
    document.getElementById('first-screen')?.remove();
    await within(container).findByRole('link', { name: /Coin 60 / });
  });

  it('marks the coin that is open', async () => {
    market.coins = [coin(1, 'Bitcoin', 'BTC'), coin(2, 'Litecoin', 'LTC')];
    market.details.set(2, details(coin(2, 'Litecoin', 'LTC')));
    render(alone(<MarketPage cryptoId="2" />));
    await screen.findByRole('heading', { level: 1, name: 'Litecoin' });
    await waitFor(async () => expect((await row('Litecoin')).getAttribute('aria-current')).toBe('page'));
    expect((await row('Bitcoin')).getAttribute('aria-current')).toBeNull();
  });

  it('has skip links from its start and from the open row to the details', async () => {
    market.coins = [coin(1, 'Bitcoin', 'BTC'), coin(2, 'Litecoin', 'LTC')];
    market.details.set(2, details(coin(2, 'Litecoin', 'LTC')));
    render(alone(<MarketPage cryptoId="2" />));
    const title = await screen.findByRole('heading', { level: 1, name: 'Litecoin' });
    await row('Bitcoin');
    const ways = screen.getAllByRole('button', { name: 'Skip the list' });
    expect(ways).toHaveLength(2);
    expect(ways[0]?.compareDocumentPosition(await row('Bitcoin'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(ways[1]?.previousElementSibling).toBe(await row('Litecoin'));
    for (const way of ways) {
      way.focus();
      fireEvent.click(way);
      expect(document.activeElement?.contains(title)).toBe(true);
      expect(document.activeElement?.contains(way)).toBe(false);
    }
  });

  it('opens its first coin beside it, and asks to choose one if there is none', async () => {
    const empty = render(alone(<MarketPage />));
    expect(await screen.findByText('Choose a coin to see its figures.')).toBeDefined();
    await screen.findByText('No data found!');
    empty.unmount();
    market.coins = [coin(3, 'Bitcoin', 'BTC'), coin(4, 'Litecoin', 'LTC')];
    market.details.set(3, details(coin(3, 'Bitcoin', 'BTC')));
    render(alone(<MarketPage />));
    await screen.findByRole('heading', { level: 1, name: 'Bitcoin' });
    await waitFor(async () => expect((await row('Bitcoin')).getAttribute('aria-current')).toBe('page'));
    expect(window.location.pathname).toBe('/');
  });
});

describe('the controls of the list', () => {
  const search = () => window.location.search;
  const pick = async (label: RegExp, option: string) => {
    fireEvent.click(await screen.findByRole('button', { name: label }));
    fireEvent.click(screen.getByRole('option', { name: option }));
  };
  const lastAsked = () => market.bodies.at(-1);

  beforeEach(() => {
    market.coins = Array.from({ length: 12 }, (_, at) =>
      coin(at + 1, `Coin ${at + 1}`, `C${at + 1}`, {
        quote: {
          USD: quote({ price: 10, percent_change_24h: 1, percent_change_7d: -7 }),
          BTC: quote({ price: 0.5, percent_change_24h: 2, percent_change_7d: -8 }),
        },
      }),
    );
    act(() => history.replace('/crypto'));
  });

  it('change the address, and the request with it', async () => {
    render(alone(<MarketPage />));
    await pick(/Ranking type/, 'Most Visited');
    await pick(/Coins shown/, 'Top 20');
    fireEvent.click(screen.getByRole('radio', { name: 'BTC' }));
    expect(search()).toBe('?currency=BTC&ranking=4&top=20');
    await waitFor(() => expect(lastAsked()).toEqual({ limit: 20, convert: 'BTC', sortType: 4 }));
    await waitFor(async () => expect((await row('Coin 1 ')).textContent).toMatch(/₿0\.500000.*2\.00%/));
    expect((await row('Coin 1 ')).getAttribute('href')).toBe('/crypto/details/1?currency=BTC&ranking=4&top=20');
  });

  it('offer all rankings, currencies, counts and periods, and start with the first, USD, 100 and 24hrs', async () => {
    render(alone(<MarketPage />));
    const offered = async (label: RegExp) => {
      const button = await screen.findByRole('button', { name: label });
      fireEvent.click(button);
      const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
      const chosen = screen.getByRole('option', { selected: true }).textContent;
      fireEvent.click(button);
      return [chosen, options];
    };
    const rankings = ['Ranking', 'Trending', 'Upcoming', 'Most Visited', 'Recently Added', 'Chain Ranking'];
    expect(await offered(/Ranking type/)).toEqual(['Ranking', rankings]);
    expect(await offered(/Coins shown/)).toEqual(['Top 100', ['Top 5', 'Top 10', 'Top 20', 'Top 50', 'Top 100']]);
    expect(await offered(/Period/)).toEqual(['24hrs', ['1hr', '24hrs', '7d', '1mo', '2mo', '3mo']]);
    const currency = within(screen.getByRole('group', { name: 'Currency' }));
    expect(currency.getAllByRole<HTMLInputElement>('radio').map(({ labels, checked }) => [labels?.[0]?.textContent, checked])).toEqual([
      ['USD', true],
      ['BTC', false],
    ]);
    await waitFor(() => expect(lastAsked()).toEqual({ limit: 100, convert: 'USD', sortType: 1 }));
  });

  it.each([
    ['1hr', '1h'],
    ['24hrs', '24h'],
    ['7d', '7d'],
    ['1mo', '30d'],
    ['2mo', '60d'],
    ['3mo', '90d'],
  ])('read the period %s from the change of %s', async (label, field) => {
    market.coins = [coin(1, 'Coin 1', 'C1', { quote: { USD: quote({ price: 10, [`percent_change_${field}`]: 3.21 }) } })];
    render(alone(<MarketPage />));
    await row('Coin 1');
    if (label !== '24hrs') await pick(/Period/, label);
    expect((await row('Coin 1')).textContent).toMatch(/up 3\.21%/);
  });

  it('show another period without a request', async () => {
    render(alone(<MarketPage />));
    await row('Coin 1 ');
    const before = market.bodies.length;
    await pick(/Period/, '7d');
    expect((await row('Coin 1 ')).textContent).toMatch(/down 7\.00%/);
    expect(search()).toBe('?period=7d');
    expect(market.bodies.length).toBe(before);
  });

  it('keep the list visible while another one loads', async () => {
    render(alone(<MarketPage />));
    const list = (await row('Coin 1 ')).closest('[aria-busy]');
    await waitFor(() => expect(list?.getAttribute('aria-busy')).toBe('false'));
    const { fetch } = market;
    let answer = () => {};
    market.fetch = async (input, init) => {
      const isList = String(input).endsWith('/coin-market/get-data');
      if (isList)
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return fetch(input, init);
    };
    await pick(/Ranking type/, 'Trending');
    await waitFor(() => expect(list?.getAttribute('aria-busy')).toBe('true'));
    expect(await row('Coin 1 ')).toBeDefined();
    market.coins = [coin(77, 'Trend', 'TRD')];
    answer();
    await row('Trend');
    await waitFor(() => expect(list?.getAttribute('aria-busy')).toBe('false'));
  });

  it('use lists of the device, and say which are missing', async () => {
    const first = render(alone(<MarketPage />));
    await row('Coin 12');
    first.unmount();
    market.offline = true;
    render(alone(<MarketPage />));
    await pick(/Coins shown/, 'Top 5');
    await waitFor(() => expect(screen.queryByRole('link', { name: /Coin 12/ })).toBeNull());
    await row('Coin 5 ');
    expect((await screen.findAllByText(/^Offline · saved/)).length).toBeGreaterThan(0);
    await pick(/Ranking type/, 'Upcoming');
    expect(await screen.findByText('This list is not on this device yet')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Show the top 100' }));
    await row('Coin 12');
    expect(search()).toBe('');
  });

  it('name an unreachable provider', async () => {
    market.source = { ...market.source, stale: true };
    render(alone(<MarketPage />));
    expect((await screen.findAllByText(/the provider can't be reached/))[0]?.textContent).toMatch(
      /^Figures from .+; the provider can't be reached$/,
    );
  });

  describe('in the filter sheet', () => {
    const openSheet = async () => {
      fireEvent.click(await screen.findByRole('button', { name: /^Filter/ }));
      return screen.findByRole('button', { name: 'Apply' });
    };
    const box = (group: RegExp, label: string) =>
      within(screen.getByRole('group', { name: group })).getByLabelText<HTMLInputElement>(label);
    const fill = (group: RegExp, label: string, value: string) => fireEvent.change(box(group, label), { target: { value } });

    it('show without a wait once their code is here', async () => {
      render(alone(<MarketPage />));
      await openSheet();
      fireEvent.click(screen.getByRole('button', { name: 'Close' }));
      fireEvent.click(screen.getByRole('button', { name: /^Filter/ }));
      expect(screen.getByRole('button', { name: 'Apply' })).toBeDefined();
    });

    it('are added to the request, with volumes in dollars, and counted', async () => {
      render(alone(<MarketPage />));
      const apply = await openSheet();
      fill(/^Volume 24h \(\$B\)/, 'Min', '99x');
      fill(/^Percent change 24h/, 'Max', '1234');
      fill(/^Price/, 'Min', 'a.5');
      expect(box(/^Volume/, 'Min').value).toBe('24');
      expect(box(/^Percent/, 'Max').value).toBe('100');
      fireEvent.click(apply);
      await waitFor(() => expect(search()).toBe('?priceMin=0.5&volumeMin=24&changeMax=100'));
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull());
      // The sheet may have asked for the number of matches meanwhile.
      expect(market.bodies).toContainEqual({
        limit: 100,
        convert: 'USD',
        sortType: 1,
        priceMin: 0.5,
        volume24hMin: 24_000_000_000,
        percentChange24hMax: 100,
      });
      expect(screen.getByRole('button', { name: 'Filter 3 set' })).toBeDefined();
      const filtered = market.bodies.filter((body) => Object(body).priceMin === 0.5 && Object(body).limit === 100);
      expect(filtered).toHaveLength(1);
    });

    it('take units, and keep plain digits in the address', async () => {
      render(alone(<MarketPage />));
      fireEvent.click(await openSheet());
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull());
      const apply = await openSheet();
      fill(/^Market cap/, 'Min', '1.5B!');
      fill(/^Price/, 'Max', '250k');
      expect(box(/^Market cap/, 'Min').value).toBe('1.5B');
      fireEvent.click(apply);
      await waitFor(() => expect(search()).toBe('?capMin=1500000000&priceMax=250000'));
      await openSheet();
      expect(box(/^Market cap/, 'Min').value).toBe('1.5B');
      expect(box(/^Price/, 'Max').value).toBe('250K');
    });

    it('compare amounts with units, and refuse those that are too long', async () => {
      render(alone(<MarketPage />));
      const apply = await openSheet();
      fill(/^Market cap/, 'Min', '1B');
      fill(/^Market cap/, 'Max', '900M');
      fireEvent.click(apply);
      expect((await screen.findByRole('alert')).textContent).toBe('Max is below Min');
      fill(/^Market cap/, 'Max', '1000T');
      await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Enter an amount below 1000T'));
      expect(search()).toBe('');
    });

    it('are filled and cleared by presets', async () => {
      render(alone(<MarketPage />));
      await openSheet();
      const preset = screen.getByRole('button', { name: 'Mid cap: $1B to $10B' });
      fireEvent.click(preset);
      expect([box(/^Market cap/, 'Min').value, box(/^Market cap/, 'Max').value]).toEqual(['1B', '10B']);
      expect(preset.getAttribute('aria-pressed')).toBe('true');
      fireEvent.click(screen.getByRole('button', { name: 'Up 5% or more' }));
      fireEvent.click(preset);
      expect(box(/^Market cap/, 'Min').value).toBe('');
      fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
      await waitFor(() => expect(search()).toBe('?changeMin=5'));
    });

    it('say how many coins match before they are applied, offline too', async () => {
      render(alone(<MarketPage />));
      await row('Coin 12');
      await openSheet();
      await screen.findByText('12 coins match');
      market.matches = 137;
      fill(/^Price/, 'Min', '10');
      await screen.findByText('137 coins match. The list shows 100');
      expect(search()).toBe('');
      market.offline = true;
      fill(/^Price/, 'Min', '11');
      await screen.findByText('Offline: 0 of 12 coins on this device match');
    });

    it('are cleared by Reset, which closes the sheet', async () => {
      act(() => history.replace('/crypto?top=5&capMin=5&volumeMax=3'));
      render(alone(<MarketPage />));
      await openSheet();
      expect(box(/^Market cap/, 'Min').value).toBe('5');
      expect(box(/^Volume/, 'Max').value).toBe('3');
      fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
      expect(search()).toBe('?top=5');
      expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull();
      expect(screen.getByRole('button', { name: 'Filter' })).toBeDefined();
    });

    it('are refused if the minimum is above the maximum', async () => {
      render(alone(<MarketPage />));
      const apply = await openSheet();
      fill(/^Price/, 'Min', '10');
      fill(/^Price/, 'Max', '9');
      fireEvent.click(apply);
      expect((await screen.findByRole('alert')).textContent).toBe('Max is below Min');
      expect(document.activeElement).toBe(box(/^Price/, 'Max'));
      expect(search()).toBe('');
    });

    it('keep the input offline', async () => {
      render(alone(<MarketPage />));
      await row('Coin 1 ');
      const apply = await openSheet();
      market.offline = true;
      fill(/^Price/, 'Max', '9');
      fireEvent.click(apply);
      const sheet = within(screen.getByRole('dialog', { name: 'Filter' }));
      expect((await sheet.findByRole('alert')).textContent).toContain('No connection.');
      expect(box(/^Price/, 'Max').value).toBe('9');
      expect(search()).toBe('');
      await buttonsWork();
      market.offline = false;
      fireEvent.click(apply);
      await waitFor(() => expect(search()).toBe('?priceMax=9'));
    });

    it('can be reset if no coin matches', async () => {
      market.coins = [];
      act(() => history.replace('/crypto?capMin=5'));
      render(alone(<MarketPage />));
      expect(await screen.findByText('No data found!')).toBeDefined();
      fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }));
      expect(search()).toBe('');
    });
  });
});
