import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnswerText } from '#client/features/chat/answer/answer-text.tsx';
import { amountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { signIn } from '#client/platform/session/session.ts';
import type { AnswerFigure, AnswerFigures } from '#contract/chat/answer-figures.ts';
import corpus from '#tests/fixtures/xss.json';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const CURRENT = 'POST /api/chat/figures/current';
const ASKED = { metric: 'price', coin: 1 } as const;
const source = { name: 'Kraken', demo: false, asOf: '2026-05-14T08:00:00.000Z' };

/** The figures of a text, each where it first stands. */
function figuresOf(text: string, shown: readonly string[], figure: Partial<AnswerFigure> = {}): AnswerFigures {
  return {
    sources: [{ tool: 'quotes', name: 'Binance', asOf: '2026-05-13T09:30:00.000Z' }],
    list: shown.map((each) => ({
      at: text.indexOf(each),
      length: each.length,
      label: 'Price of Bitcoin (BTC)',
      value: 100,
      unit: 'USD',
      source: 0,
      now: ASKED,
      ...figure,
    })),
  };
}

function draw(text: string, shown: readonly string[], { words, ...figure }: Partial<AnswerFigure> & { words?: number } = {}) {
  cleanup();
  return render(<AnswerText text={text} figures={figuresOf(text, shown, figure)} words={words} />).container;
}
const buttons = (root: HTMLElement) => [...root.querySelectorAll('button')].map(({ textContent }) => textContent);

beforeEach(() => signIn(makeTokens({ sub: 'tapper' }), true));
afterEach(() => {
  cleanup();
  reportReachable();
});

describe('a figure in an answer', () => {
  it('is a button in its place, in sentences, tables and lists', () => {
    const text = 'It is at **$100.00**, up 1.31%.\n\n| Coin | Price |\n|:--|--:|\n| ETH | $3 |\n\n- Cap: $1.9T';
    const answer = draw(text, ['$100.00', 'up 1.31%', '$3', '$1.9T']);
    expect(buttons(answer)).toEqual(['$100.00', 'up 1.31%', '$3', '$1.9T']);
    expect(answer.querySelector('strong > button')?.textContent).toBe('$100.00');
    expect(answer.querySelector('td > button')?.textContent).toBe('$3');
    expect(answer.querySelector('p')?.textContent).toBe('It is at $100.00, up 1.31%.');
  });

  it('is text while only a part of it is typed out, and never shows a mark', () => {
    for (let words = 0; words <= 8; words++) {
      const answer = draw('It is worth 50 million dollars now', ['50 million'], { words });
      expect(answer.textContent).not.toMatch(/[\ue000-\uf8ff]/);
      expect(buttons(answer)).toEqual(words < 5 ? [] : ['50 million']);
    }
  });

  it('is text inside code, links and addresses, whose targets stay', () => {
    const text = '`$1.00` [so $2.00](https://example.com/a) [x](https://example.com/5%20b) https://example.com/9% end $3.00';
    const answer = draw(text, ['$1.00', '$2.00', '5%', '9%', '$3.00']);
    expect(buttons(answer)).toEqual(['$3.00']);
    expect([...answer.querySelectorAll('a')].map(({ href }) => href)).toEqual([
      'https://example.com/a',
      'https://example.com/5%20b',
      'https://example.com/9%',
    ]);
    expect(answer.querySelector('code')?.textContent).toBe('$1.00');
  });

  it('that does not fit its text, or overlaps another one, stays text', () => {
    const text = 'It is $5.00.';
    const list = [
      { at: 6, length: 5 },
      { at: 8, length: 2 },
      { at: 10, length: 40 },
      { at: 9_999, length: 5 },
    ].map((place) => ({ ...place, label: 'x', value: 1, unit: 'USD' as const, source: 0 }));
    const { container } = render(<AnswerText text={text} figures={{ sources: [], list }} />);
    expect(buttons(container)).toEqual(['$5.00']);
    expect(container.textContent).toBe(text);
  });

  it('that another version wrote is shown as text, or says that this one cannot read it', async () => {
    const figures = { sources: [], list: [{ at: 6, length: 5, label: 'x', source: 'elsewhere' }] };
    render(<AnswerText text="It is $5.00." figures={figures} />);
    fireEvent.click(screen.getByRole('button', { name: '$5.00' }));
    expect(within(await screen.findByRole('dialog')).getByText(/Reload the app/)).toBeDefined();
    cleanup();
    for (const strange of [null, 5, 'x', [], { list: 5 }, { list: [null, 5, 'x', {}, { at: '6', length: '5' }, { at: -6, length: 5 }] }])
      expect(buttons(render(<AnswerText text="It is $5.00." figures={strange} />).container)).toEqual([]);
  });

  it('cannot be forged by the text', () => {
    const answer = draw('\ue100$1\ue0ff and \ue000{}\ue001$2\ue002, and $3', ['$3']);
    expect(buttons(answer)).toEqual(['$3']);
  });

  it.each(corpus)('adds no other element to $name', ({ text }) => {
    const before = render(<AnswerText text={`${text} $7`} figures={undefined} />).container.innerHTML;
    const after = draw(`${text} $7`, ['$7']).innerHTML;
    expect(after.replaceAll(/<button[^>]*>|<\/button>/g, '')).toBe(before);
  });
});

describe('where amounts are hidden', () => {
  const own =
    'You have **2** trading bots. **Tide**: **$1,012.30**, +$12.30. It is long 0.0125 BTC at $60,984.00. Lost 4,000.50 USD, 2.5%.';
  afterEach(() => amountsHidden.set(false));

  it('an answer about the own bots has none of the amounts, not as a button either', () => {
    const sources = [{ tool: 'account' as const, name: 'your bots', asOf: '2026-05-13T09:30:00.000Z' }];
    const figure = (shown: string, unit: 'USD' | 'BTC' | 'count') => ({
      ...{ at: own.indexOf(shown), length: shown.length, label: 'x', value: 1, unit, source: 0 },
    });
    const list = [figure('2', 'count'), figure('$1,012.30', 'USD'), figure('+$12.30', 'USD'), figure('0.0125 BTC', 'BTC')];
    const { container } = render(<AnswerText text={own} figures={{ sources, list }} />);
    expect(buttons(container)).toEqual(['2', '$1,012.30', '+$12.30', '0.0125 BTC']);
    act(() => amountsHidden.set(true));
    expect(buttons(container)).toEqual(['2']);
    expect(container.textContent).toBe('You have 2 trading bots. Tide: •••, •••. It is long ••• at •••. Lost ••• USD, 2.5%.');
  });

  it('an answer about the market has all of its figures', () => {
    amountsHidden.set(true);
    expect(buttons(draw('It is at $100.00, not $90.00.', ['$100.00']))).toEqual(['$100.00']);
    expect(screen.getByText(/not \$90\.00/)).toBeDefined();
  });
});

describe('a tapped figure', () => {
  const tap = async (figure: Partial<AnswerFigure> = {}) => {
    draw('It is at $100.00.', ['$100.00'], figure);
    fireEvent.click(screen.getByRole('button', { name: '$100.00' }));
    return within(await screen.findByRole('dialog'));
  };
  const check = (sheet: Awaited<ReturnType<typeof tap>>) => fireEvent.click(sheet.getByRole('button', { name: 'Check now' }));
  const told = (value: number | null): Answers => ({ [CURRENT]: { status: 200, body: { status: 200, data: { value, source } } } });

  it('shows what it is, its unit, time and source, and where it was found', async () => {
    const sheet = await tap();
    expect(sheet.getByRole('heading').textContent).toBe('Price of Bitcoin (BTC)');
    for (const fact of ['US dollars', '13 May 2026, 09:30 UTC', 'Binance', 'Market figures']) expect(sheet.getByText(fact)).toBeDefined();
    expect(sheet.queryByText('In full')).toBeNull();
    fireEvent.click(sheet.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows a shortened figure in full', async () => {
    const sheet = await tap({ value: 100.004 * 1e9 });
    expect(sheet.getByText('$100,004,000,000.00')).toBeDefined();
  });

  it('looks up the current figure and shows the difference', async () => {
    const asked = fakeApi(told(120.5));
    const sheet = await tap();
    check(sheet);
    expect(await sheet.findByText('+$20.50 (+20.50%)')).toBeDefined();
    expect(within(sheet.getByRole('status')).getByText('$120.50')).toBeDefined();
    expect(sheet.getByText('14 May 2026, 08:00 UTC')).toBeDefined();
    expect(asked.map(({ body }) => body)).toEqual([ASKED]);
  });

  it('says when nothing changed, and when its coin is gone', async () => {
    fakeApi(told(100));
    const same = await tap();
    check(same);
    expect(await same.findByText('No difference')).toBeDefined();
    fakeApi(told(null));
    const gone = await tap();
    check(gone);
    expect(await gone.findByText(/no longer has this figure/)).toBeDefined();
  });

  it('says why it could not be checked, and can be checked again', async () => {
    fakeApi({ [CURRENT]: refusal(503, 'The market figures can’t be read at the moment. Please try again.') });
    const sheet = await tap();
    check(sheet);
    expect(await sheet.findByText(/can’t be read at the moment/)).toBeDefined();
    fakeApi(told(99));
    check(sheet);
    expect(await sheet.findByText('-$1.00 (-1.00%)')).toBeDefined();
  });

  it('says that it needs a connection while there is none', async () => {
    fakeApi({});
    reportUnreachable();
    const sheet = await tap();
    expect(sheet.getByText(/You are offline/)).toBeDefined();
    check(sheet);
    expect(await sheet.findByText(/No connection/)).toBeDefined();
  });

  it('without a current figure says so instead', async () => {
    const sheet = await tap({ now: undefined });
    expect(sheet.queryByRole('button', { name: 'Check now' })).toBeNull();
    expect(sheet.getByText(/no current figure to compare/)).toBeDefined();
  });
});
