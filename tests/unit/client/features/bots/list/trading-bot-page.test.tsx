import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import TradingBotPage from '#client/features/bots/list/trading-bot-page.tsx';
import { pollInterval } from '#client/features/bots/use-bots.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import type { Bot } from '#contract/bots/bot.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { CREATE, config, emptyDevice, fakeBots, LIST, listed, ok, position, show, signInEachTest, user } from '../fake-bots.tsx';

/** The service's bots. */
let held: Bot[] = [];
const service = (more: Answers = {}): Answers => ({
  'GET /api/auth/user/user-1/': ok(user()),
  'GET /api/config': config(),
  [LIST]: () => listed(...held),
  ...more,
});
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const dialog = () => within(screen.getByRole('dialog'));

async function agree() {
  fireEvent.click(await screen.findByRole('checkbox'));
  fireEvent.click(button('Continue'));
  await screen.findByLabelText('Bot Name');
}

async function fill() {
  type('Bot Name', 'Tide one');
  type('API Key', 'some-key');
  type('Secret Key', 'some-secret');
  type('Position Size', '1000');
  await waitFor(() => expect(button('Create Bot').disabled).toBe(false));
}

signInEachTest('/trading-bot');
beforeEach(() => {
  held = [];
});

describe('a user without bots', () => {
  it('must agree to the guidelines first', async () => {
    fakeBots(service());
    show(<TradingBotPage />);
    await screen.findByText('Trading Bot Guidelines');
    expect(button('Continue').disabled).toBe(true);
    const links = await waitFor(() => {
      const found = dialog().getAllByRole('link');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['https://one.example/r', 'https://two.example/r']);
    await agree();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('gets a form that accepts only digits and refuses small sizes', async () => {
    fakeBots(service());
    show(<TradingBotPage />);
    await agree();
    expect(field('Secret Key').type).toBe('password');
    expect(button('Create Bot').disabled).toBe(true);
    expect(screen.getByText('Enter a position size')).toBeDefined(); // no income of $0.00
    type('Position Size', '9a9.');
    expect(field('Position Size').value).toBe('99');
    expect(screen.getByText('Position size must be at least 100 USD')).toBeDefined();
    type('Position Size', ' $1,000.00 ');
    expect(field('Position Size').value).toBe('1000');
    expect(screen.queryByText('Position size must be at least 100 USD')).toBeNull();
    expect(screen.getByText('76.8%')).toBeDefined();
    expect(screen.getByText('32.55%')).toBeDefined();
    expect(within(screen.getByRole('region', { name: 'Strategy metrics' })).getByText('Hypothetical')).toBeDefined();
    expect(await screen.findByRole('region', { name: 'Backtest on real candles' })).toBeDefined();
    expect(screen.getByText('$64.00')).toBeDefined();

    for (const [label, message] of [
      ['Bot Name', 'Please enter a name for your trading bot'],
      ['API Key', 'Please enter your API key'],
      ['Secret Key', 'Please enter your Secret key'],
    ] as const) {
      fireEvent.blur(field(label));
      expect(await screen.findByText(message)).toBeDefined();
    }
    type('Position Size', '');
    fireEvent.blur(field('Position Size'));
    expect(await screen.findByText('Please enter your position size')).toBeDefined();
    expect(field('Loss Limit').value).toBe('30');
    type('Loss Limit', '99%');
    fireEvent.blur(field('Loss Limit'));
    expect(await screen.findByText('Please enter a loss limit from 5% to 90%')).toBeDefined();
    type('Loss Limit', '25');
    await waitFor(() => expect(screen.queryByText('Please enter a loss limit from 5% to 90%')).toBeNull());
    fireEvent.click(button('Use the demo account'));
    expect([field('API Key').value, field('Secret Key').value]).toEqual(['paper-demo-key', 'paper-demo-secret']);
  });

  it('creates a bot, which takes the place of the form', async () => {
    const asked = fakeBots(
      service({
        [CREATE]: () => {
          held = [bot({ status: 'PROVISIONING' })];
          return ok(held[0], 201);
        },
      }),
    );
    show(<TradingBotPage />);
    await agree();
    await fill();
    fireEvent.click(button('Create Bot'));
    expect(await screen.findByText('Trading bot created successfully!')).toBeDefined();
    expect(await screen.findByText('Setting up...')).toBeDefined();
    await waitFor(() => expect(screen.queryByLabelText('Bot Name')).toBeNull());
    expect(button('Provisioning...').disabled).toBe(true);
    expect(button('Delete').disabled).toBe(true);
    expect(asked.find(({ call }) => call === CREATE)?.body).toEqual({
      bot_name: 'Tide one',
      api_key: 'some-key',
      max_drawdown: '30',
      secret_key: 'some-secret',
      position_size: '1000',
      leverage: 15,
    });
    expect(JSON.stringify(await userDb('user-1').bots.toArray())).not.toContain('some-secret');
  });

  it.each([
    [5010, "This account was not registered using Tidemark's referral code. Please register with a valid referral code."],
    [1818, 'Invalid API key or secret. Please check your credentials.'],
    [undefined, 'An error occurred while creating the trading bot.'],
  ])('sees why the service refused with %s, and keeps the input', async (code, message) => {
    fakeBots(service({ [CREATE]: refusal(400, 'No', code === undefined ? undefined : { code }) }));
    show(<TradingBotPage />);
    await agree();
    await fill();
    fireEvent.click(button('Create Bot'));
    expect(await screen.findByText(message)).toBeDefined();
    expect(field('Secret Key').value).toBe('some-secret');
  });

  it('sees that keys were checked too often, and keeps the input', async () => {
    const words = 'You can check exchange keys 5 times a minute. Wait a minute and try again.';
    fakeBots(service({ [CREATE]: refusal(429, words) }));
    show(<TradingBotPage />);
    await agree();
    await fill();
    fireEvent.click(button('Create Bot'));
    expect(await screen.findByText(words)).toBeDefined();
    expect([field('Bot Name').value, field('API Key').value, field('Secret Key').value].every(Boolean)).toBe(true);
  });

  it('retries an unanswered form under the same key, so that it creates one bot', async () => {
    const keys: (string | null)[] = [];
    const sent: RequestInit[] = [];
    fakeBots(service());
    const answer = fetch;
    vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
      if (init.method !== 'POST') return answer(input, init);
      sent.push(init);
      keys.push(new Headers(init.headers).get('Idempotency-Key'));
      return Promise.reject(new TypeError('Failed to fetch'));
    });
    show(<TradingBotPage />);
    await agree();
    await fill();
    for (const times of [1, 2]) {
      fireEvent.click(button('Create Bot'));
      await waitFor(() => expect(keys).toHaveLength(times));
      await screen.findByText('An error occurred while creating the trading bot.');
      await buttonsWork();
      act(() => reportReachable());
    }
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
    expect(sent[0]?.credentials).toBe('omit');
    expect(new Headers(sent[0]?.headers).get('User-Id')).toBe('user-1');
    expect(new Headers(sent[0]?.headers).get('Authorization')).toMatch(/^Bearer /);
  });

  it('must type a word to trade real money', async () => {
    const asked = fakeBots(
      service({ 'GET /api/config': config({ exchange: 'bybit', paper: false, speed: null }), [CREATE]: refusal(400, 'No') }),
    );
    show(<TradingBotPage />);
    await agree();
    const word = await screen.findByLabelText('Type LIVE to confirm');
    for (const [label, value] of Object.entries({ 'Bot Name': 'a', 'API Key': 'b', 'Secret Key': 'c', 'Position Size': '100' }))
      type(label, value);
    await waitFor(() => expect(field('Position Size').value).toBe('100'));
    expect(button('Create Bot').disabled).toBe(true);
    fireEvent.change(word, { target: { value: 'LIVE' } });
    await waitFor(() => expect(button('Create Bot').disabled).toBe(false));
    fireEvent.click(button('Create Bot'));
    await screen.findByText('An error occurred while creating the trading bot.');
    expect(asked.find(({ call }) => call === CREATE)?.body).toMatchObject({ confirm_live: 'LIVE' });
    expect(screen.queryByText('Paper trading')).toBeNull();
  });
});

describe('the list', () => {
  it('is not empty when it failed to load', async () => {
    fakeBots(service({ [LIST]: refusal(500, 'The bots are not well.') }));
    show(<TradingBotPage />);
    expect(await screen.findByText('Your bots could not be loaded')).toBeDefined();
    expect(screen.getByText(/^The bots are not well\./)).toBeDefined();
    expect(screen.queryByLabelText('Bot Name')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says when a refresh failed, and keeps the focus at every poll', async () => {
    await userDb('user-1').bots.put(bot());
    fakeBots(service({ [LIST]: refusal(500, 'The bots are not well.') }));
    show(<TradingBotPage />);
    expect(await screen.findByText('Your bots could not be refreshed')).toBeDefined();
    expect(screen.getByText('The bots are not well. Your bots keep running.')).toBeDefined();
    expect(document.activeElement).toBe(document.body);
    expect(button('Stop')).toBeDefined();
  });

  it('shows its last known state offline, and refuses every action with the reason', async () => {
    await userDb('user-1').bots.put(bot());
    await userDb('user-1').stamps.put({ key: 'bots', savedAt: Date.now() - 720_000 });
    fakeApi({});
    show(<TradingBotPage />);
    expect(await screen.findByText('RUNNING')).toBeDefined();
    expect(await screen.findByText('Offline · saved 12 min ago')).toBeDefined();
    for (const name of ['Stop', 'Pause entries', 'Delete']) {
      expect(button(name).getAttribute('aria-disabled')).toBe('true');
      fireEvent.click(button(name));
    }
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByText('You can change bots once you are online. Nothing is queued.')).toBeDefined();
    expect(screen.queryByLabelText('Bot Name')).toBeNull();
  });

  it.each([
    ['PROVISIONING', 'Setting up...'],
    ['RUNNING', 'RUNNING'],
    ['STOPPED', 'STOPPED'],
    ['ODD', 'ODD'],
  ])('shows %s as %s', async (status, word) => {
    held = [bot({ status })];
    fakeBots(service());
    show(<TradingBotPage />);
    expect(await screen.findByText(word)).toBeDefined();
    expect(screen.getByText('Paper trading')).toBeDefined();
  });

  it('is polled every 2 s while a bot is set up, every 5 s otherwise, and never without bots', () => {
    expect([undefined, [], [bot()], [bot(), bot({ status: 'PROVISIONING' })]].map(pollInterval)).toEqual([0, 0, 5000, 2000]);
  });

  it('stops a bot as the user chooses, and first says what happens to the position', async () => {
    held = [bot({ position })];
    const asked = fakeBots(
      service({
        'POST /api/v1/trading-bots/bot-1/stop?user_id=user-1': () => {
          held = [bot({ status: 'STOPPED', position })];
          return ok(held[0]);
        },
      }),
    );
    show(<TradingBotPage />);
    fireEvent.click(await screen.findByRole('button', { name: 'Stop' }));
    expect(dialog().getByText(/closes at the market price.* The result would be about \+\$5\.68\./)).toBeDefined();
    fireEvent.click(dialog().getByRole('radio', { name: /^Stop and keep the position/ }));
    expect(dialog().getByText(/no longer closes it when the trend turns, after 20 days or at your loss limit/)).toBeDefined();
    expect(dialog().getByText(/Its stop at \$59,000\.00 and its target at \$62,000\.00 stay active at the paper exchange/)).toBeDefined();
    fireEvent.click(dialog().getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('STOPPED')).toBeDefined();
    expect(screen.getByText('Position kept')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(button('Start'));
    expect(
      dialog().getByText(/^It trades BTC with \$1,000\.00 of paper money at up to 15x, starting after the next closed candle\./),
    ).toBeDefined();
    expect(dialog().getByText(/It manages its open long position of ₿0\.012500 again\.$/)).toBeDefined();
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(button('Close now')).toBeDefined();
    expect(asked.find(({ call }) => call.includes('/stop'))?.body).toEqual({ mode: 'keep' });
  });

  it('confirms a deletion and shows its outcome', async () => {
    held = [bot()];
    let works = false;
    fakeBots(
      service({
        'DELETE /api/v1/trading-bots/bot-1': () => {
          if (!works) return { status: 502, body: {} };
          held = [];
          return ok({ bot_id: 'bot-1' });
        },
      }),
    );
    show(<TradingBotPage />);
    const remove = async () => {
      fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
      expect(
        dialog().getByText('Are you sure you want to delete this trading bot? This will stop the bot and remove all configuration.'),
      ).toBeDefined();
      fireEvent.click(dialog().getByRole('button', { name: 'Delete' }));
    };
    await remove();
    expect(await screen.findByText('Failed to delete the trading bot. Please try again.')).toBeDefined();
    expect(screen.getByText('Failed to delete trading bot')).toBeDefined();
    works = true;
    await remove();
    expect(await screen.findByText('Trading bot stopped and deleted successfully!')).toBeDefined();
    await waitFor(async () => expect(await userDb('user-1').bots.count()).toBe(0));
    // The guidelines dialog covers the page, so it must show the outcome of the deletion.
    await screen.findByText('Trading Bot Guidelines');
    expect(dialog().getByText('Trading bot stopped and deleted successfully!')).toBeDefined();
    expect(document.activeElement?.textContent).toContain('Trading bot stopped and deleted successfully!');
    await agree();
    expect(screen.getAllByText('Trading bot stopped and deleted successfully!')).toHaveLength(1);
  });
});

it('shows once that a bot was deleted on its own page', async () => {
  history.replace('/trading-bot', 'deleted');
  held = [bot()];
  fakeBots(service());
  show(<TradingBotPage />);
  expect(await screen.findByText('Trading bot stopped and deleted successfully!')).toBeDefined();
  await waitFor(() => expect(history.location.state).toBeUndefined());
});

describe('a user without access', () => {
  it('gets links to Premium and home, and can still open existing bots', async () => {
    await emptyDevice(user('FREE'));
    held = [bot()];
    fakeBots(service({ 'GET /api/auth/user/user-1/': ok(user('FREE')) }));
    show(<TradingBotPage />);
    expect(
      await screen.findByText('Trading bot access requires Premium subscription or account must be less than 30 days old'),
    ).toBeDefined();
    expect(screen.getByRole('link', { name: 'Upgrade to Premium' }).getAttribute('href')).toBe('/pricing');
    expect(screen.getByRole('link', { name: 'Go to Home' }).getAttribute('href')).toBe('/home');
    expect(await screen.findByText('RUNNING')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
