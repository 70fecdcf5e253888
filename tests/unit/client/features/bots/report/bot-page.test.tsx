import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import BotPage from '#client/features/bots/report/bot-page.tsx';
import { equityPath } from '#client/features/bots/report/equity-path.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import type { BotReport, Performance } from '#contract/bots/bot.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { fakeApi, refusal } from '#tests/support/client/fake-api.ts';
import { closedTrade, fakeBots, ok, position, show, signInEachTest } from '../fake-bots.tsx';

const REPORT = 'GET /api/v1/trading-bots/bot-1/report?user_id=user-1';

const live: Performance = {
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-02T00:00:00.000Z',
  trades: 1,
  total_return: 0.0123,
  annual_return: null,
  max_drawdown: 0.004,
  win_rate: 1,
  profit_factor: null,
};
const report = (changes: Partial<BotReport> = {}): BotReport => ({
  bot: bot({ position }),
  equity: [
    { at: '2026-03-01T00:00:10.000Z', equity: 1000 },
    { at: '2026-03-01T00:00:00.000Z', equity: 990 },
    { at: '2026-03-01T01:00:00.000Z', equity: 1012.3 },
  ],
  trades: [closedTrade()],
  events: [{ id: 'event-1', at: '2026-03-01T00:40:00.000Z', actor: 'engine', kind: 'closed', text: 'Closed the short position.' }],
  live,
  backtest: { ...live, name: 'Real candles', annual_return: 0.3, trades: 385 },
  decisions: [],
  ...changes,
});

signInEachTest('/trading-bot/bots/bot-1');

describe('the page of a bot', () => {
  it('shows money, position, trades, journal, and the backtest beside it', async () => {
    fakeBots({ [REPORT]: ok(report()) });
    show(<BotPage botId="bot-1" />);
    expect(await screen.findByRole('heading', { level: 1, name: 'Tide one' })).toBeDefined();
    expect(screen.getByText('+$12.30 (+1.23%)')).toBeDefined();
    const open = within(screen.getByRole('region', { name: 'Open position' }));
    expect(open.getByText('+$6.25')).toBeDefined();
    const prices = { Entry: '$60,000.00', Stop: '$59,000.00', Target: '$62,000.00', Liquidation: '$56,400.00' };
    for (const [label, price] of Object.entries(prices)) expect(open.getByText(label).nextSibling?.textContent).toBe(price);
    expect(screen.getByText('Closed the short position.')).toBeDefined();
    const figures = within(screen.getByRole('region', { name: 'Results vs. backtest' }));
    const row = figures.getByRole('row', { name: /^Trades/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['1', '385']);
    expect(screen.getByRole('img', { name: /low \$990\.00, high \$1,012\.30\.$/ })).toBeDefined();
    expect(screen.getByText('Paper trading')).toBeDefined();
    // 0.0125 BTC at 60,500 USD, of 1,012.30 USD.
    expect(screen.getByText('Exposure now').nextSibling?.textContent).toBe('0.7x');
    expect(screen.getByText('Leverage').nextSibling?.textContent).toBe('up to 15x');
    expect(screen.getByText(/^A trade risks about 1\.5% .* 15x is the ceiling\.$/)).toBeDefined();
    expect(screen.getByText('Market').nextSibling?.textContent).toBe('BTC replay 1h');
    expect(screen.getByText(/^BTC replay repeats the real prices of Mar 6 . Apr 13, 2025, 60 times as fast/)).toBeDefined();
    expect(screen.getByRole('region', { name: 'Backtest on real candles' })).toBeDefined();
    const parts = [
      'Chart',
      'Settings',
      'Why no trade?',
      'Profit by day and month',
      'Compared with the backtest of the same days',
      'Trades',
    ];
    for (const name of parts) expect(screen.getByRole('region', { name })).toBeDefined();
  });

  it('hides all amounts, also in labels and in the dialog, and keeps prices and percentages', async () => {
    const events = [{ id: 'event-1', at: '2026-03-01T00:40:00.000Z', actor: 'engine', kind: 'closed', text: 'A profit of 9.40 USD.' }];
    fakeBots({ [REPORT]: ok(report({ events } as Partial<BotReport>)) });
    show(<BotPage botId="bot-1" />);
    expect(await screen.findByText('A profit of 9.40 USD.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Hide amounts' }));
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(screen.getByText('A profit of ••• USD.')).toBeDefined();
    expect(screen.getByText('••• (+1.23%)')).toBeDefined();
    expect(screen.getByText('Entry').nextSibling?.textContent).toBe('$60,000.00');
    expect(screen.getByText(/The result would be about •••\./)).toBeDefined();
    for (const amount of ['1,012.30', '12.30', '990.00', '1,000.00', '6.25', '0.0125', '9.40'])
      expect(document.body.innerHTML).not.toContain(amount);
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(screen.getByRole('button', { name: 'Show amounts' }));
    expect(screen.getByText('+$12.30 (+1.23%)')).toBeDefined();
  });

  it('pauses and resumes, each with its consequence first', async () => {
    let paused = false;
    const now = () => report({ bot: bot({ position, paused_reason: paused ? 'Paused by you' : null }) });
    const say = (to: boolean) => () => {
      paused = to;
      return ok(now().bot);
    };
    fakeBots({
      [REPORT]: () => ok(now()),
      'POST /api/v1/trading-bots/bot-1/pause?user_id=user-1': say(true),
      'POST /api/v1/trading-bots/bot-1/resume?user_id=user-1': say(false),
    });
    show(<BotPage botId="bot-1" />);
    fireEvent.click(await screen.findByRole('button', { name: 'Pause entries' }));
    const dialog = () => within(screen.getByRole('dialog'));
    expect(
      dialog().getByText(/No new trades until you resume them\. Its long position.* after 20 days or at your loss limit\./),
    ).toBeDefined();
    fireEvent.click(dialog().getByRole('button', { name: 'Pause entries' }));
    expect(await screen.findByText('Paused by you')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Resume entries' }));
    expect(
      dialog().getByText(/It can open positions again after the next closed candle\. It goes on managing its long position/),
    ).toBeDefined();
    fireEvent.click(dialog().getByRole('button', { name: 'Resume entries' }));
    await waitFor(() => expect(screen.queryByText(/^Paused by you/)).toBeNull());
  });

  it('closes the position that it shows now, and first says at what price and cost', async () => {
    let closing = false;
    const now = () => report({ bot: bot({ position: { ...position, id: 'entry-1' }, closing }) });
    const asked = fakeBots({
      [REPORT]: () => ok(now()),
      'POST /api/v1/trading-bots/bot-1/close?user_id=user-1': () => {
        closing = true;
        return ok(now().bot);
      },
    });
    show(<BotPage botId="bot-1" />);
    fireEvent.click(await screen.findByRole('button', { name: 'Close now' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Close the position now' }));
    expect(dialog.getByText(/Its long position of ₿0\.012500 closes at the market price, now about \$60,500\.00\./)).toBeDefined();
    expect(dialog.getByText(/Fee and slippage cost about \$0\.57\. The result would be about \+\$5\.68\. The bot goes on/)).toBeDefined();
    fireEvent.click(dialog.getByRole('button', { name: 'Close now' }));
    expect(await screen.findByText('Closing position')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Close now' })).toBeNull());
    expect(asked.find(({ call }) => call.includes('/close'))?.body).toEqual({ position_id: 'entry-1' });
  });

  it("estimates the cost of a close with the account's own fee", async () => {
    fakeBots({ [REPORT]: ok(report({ bot: bot({ position, taker_fee: 0.001 }) })) });
    show(<BotPage botId="bot-1" />);
    fireEvent.click(await screen.findByRole('button', { name: 'Close now' }));
    expect(screen.getByRole('dialog').textContent).toContain('Fee and slippage cost about $0.91.');
  });

  it('does not reopen a dialog after a reconnect', async () => {
    fakeBots({ [REPORT]: ok(report()) });
    show(<BotPage botId="bot-1" />);
    fireEvent.click(await screen.findByRole('button', { name: 'Pause entries' }));
    expect(screen.getByRole('dialog')).toBeDefined();
    act(reportUnreachable);
    expect(screen.queryByRole('dialog')).toBeNull();
    act(reportReachable);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Pause entries' }).getAttribute('aria-disabled')).toBeNull();
  });

  describe('its settings', () => {
    const EDIT = 'PUT /api/v1/trading-bots/bot-1?user_id=user-1';
    const dialog = () => within(screen.getByRole('dialog', { name: 'Edit this bot' }));
    const type = (label: string, value: string) => fireEvent.change(dialog().getByLabelText(label), { target: { value } });
    const save = () => fireEvent.click(dialog().getByRole('button', { name: 'Save' }));
    async function edit(shown: BotReport, answer: ReturnType<typeof refusal>) {
      const asked = fakeBots({ [REPORT]: ok(shown), [EDIT]: answer });
      show(<BotPage botId="bot-1" />);
      fireEvent.click(await screen.findByRole('button', { name: 'Edit' }));
      return () => asked.flatMap(({ call, body }) => (call === EDIT ? [body] : []));
    }

    it('change name and key while the bot trades, and send only what changed', async () => {
      const sent = await edit(report({ bot: bot({ position }) }), ok(bot({ bot_name: 'Ebb', key_hint: 'next' })));
      expect(dialog().getByLabelText('Position Size')).toHaveProperty('readOnly', true);
      expect(dialog().getByText('…-key')).toBeDefined();
      type('Bot Name', 'Ebb');
      type('API Key', ' new-key ');
      type('Secret Key', 'new-secret');
      save();
      expect(await screen.findByText("The bot's settings were saved.")).toBeDefined();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(sent()).toEqual([{ bot_name: 'Ebb', api_key: 'new-key', secret_key: 'new-secret' }]);
      expect(JSON.stringify(await userDb('user-1').botReports.toArray())).not.toContain('new-secret');
    });

    it('change the loss limit while the bot trades', async () => {
      const sent = await edit(report({ bot: bot({ position }) }), ok(bot({ max_drawdown: 20 })));
      type('Loss Limit', '4');
      save();
      expect(await dialog().findByText('Please enter a loss limit from 5% to 90%')).toBeDefined();
      type('Loss Limit', '20');
      save();
      expect(await screen.findByText("The bot's settings were saved.")).toBeDefined();
      expect(sent()).toEqual([{ max_drawdown: '20' }]);
    });

    it('change the position size while the bot is stopped without a position', async () => {
      const sent = await edit(report({ bot: bot({ status: 'STOPPED' }) }), ok(bot({ status: 'STOPPED', position_size: 2000 })));
      type('Position Size', '99');
      save();
      expect(await dialog().findByText('Position size must be at least 100 USD')).toBeDefined();
      type('Position Size', '2,000 USD');
      save();
      expect(await screen.findByText("The bot's settings were saved.")).toBeDefined();
      expect(sent()).toEqual([{ position_size: '2000' }]);
    });

    it('require both parts of a key, keep the input after a refusal, and send nothing if nothing changed', async () => {
      const sent = await edit(report(), refusal(400, 'Invalid API key or secret. Please check your credentials.'));
      type('API Key', 'new-key');
      save();
      expect(await dialog().findByText('Please enter your Secret key')).toBeDefined();
      expect(document.activeElement).toBe(dialog().getByLabelText('Secret Key'));
      type('Secret Key', 'wrong');
      save();
      expect(await dialog().findByText('Invalid API key or secret. Please check your credentials.')).toBeDefined();
      expect(dialog().getByLabelText('API Key')).toHaveProperty('value', 'new-key');
      await buttonsWork();
      type('API Key', '');
      type('Secret Key', '');
      save();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(sent()).toHaveLength(1);
    });
  });

  it('says why a bot failed, and shows its last known state offline', async () => {
    const broken = report({ bot: bot({ status: 'ERROR', status_reason: 'The API key is not allowed to trade.' }) });
    await userDb('user-1').botReports.put({ ...broken, id: 'bot-1' });
    await userDb('user-1').stamps.put({ key: 'bot/bot-1', savedAt: Date.now() - 60_000 });
    fakeApi({});
    show(<BotPage botId="bot-1" />);
    expect(await screen.findByText('The API key is not allowed to trade.')).toBeDefined();
    expect(await screen.findByText('Offline · saved 1 min ago')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Start' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('says when a refresh failed, and keeps the focus', async () => {
    await userDb('user-1').botReports.put({ ...report({ bot: bot({ status: 'STOPPED' }) }), id: 'bot-1' });
    fakeBots({ [REPORT]: refusal(500, 'The bots are not well.') });
    show(<BotPage botId="bot-1" />);
    expect(await screen.findByText('This bot could not be refreshed')).toBeDefined();
    expect(screen.getByText('The bots are not well. The bot is not affected.')).toBeDefined();
    expect(document.activeElement).toBe(document.body);
    expect(screen.getByText('STOPPED')).toBeDefined();
    // A stopped bot does not wait for an entry.
    expect(within(screen.getByRole('region', { name: 'Open position' })).getByText('None.')).toBeDefined();
  });

  it('shows only that a deleted bot is gone', async () => {
    await userDb('user-1').botReports.put({ ...report(), id: 'bot-1' });
    fakeBots({ [REPORT]: refusal(404, 'Not found.') });
    show(<BotPage botId="bot-1" />);
    expect(await screen.findByText('This bot no longer exists')).toBeDefined();
    await waitFor(() => expect(screen.queryByText('Closed the short position.')).toBeNull());
    expect(screen.getByRole('link', { name: 'Back to Trading Bot' }).getAttribute('href')).toBe('/trading-bot');
  });

  it('goes back to the list when its bot is deleted', async () => {
    await userDb('user-1').bots.put(bot());
    let isDeleted = false;
    fakeBots({
      // The page, which the test does not leave, may ask again once the report is gone from the device.
      [REPORT]: () => (isDeleted ? refusal(404, 'Not found.') : ok(report())),
      'DELETE /api/v1/trading-bots/bot-1': () => {
        isDeleted = true;
        return ok({ bot_id: 'bot-1' });
      },
    });
    show(<BotPage botId="bot-1" />);
    fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByText(/^Its long position of ₿0\.012500 is closed at the market price first\.$/)).toBeDefined();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(history.location.pathname).toBe('/trading-bot'));
    expect(history.location.state).toBe('deleted');
    expect(await userDb('user-1').bots.count()).toBe(0);
  });
});

describe('the equity curve', () => {
  const at = (minute: number) => new Date(minute * 60_000).toISOString();

  it('scales time to the width and equity to the height, with the starting money as baseline', () => {
    const curve = equityPath(
      [
        { at: at(10), equity: 100 },
        { at: at(9), equity: 90 },
        { at: at(15), equity: 110 },
        { at: at(20), equity: 105 },
      ],
      100,
    );
    expect(curve?.line).toBe('M0 50L0 94L50 6L100 28');
    expect(curve?.startY).toBe(50);
    expect(curve?.nearest(0.6).equity).toBe(110);
  });

  it('needs two points in time', () => {
    expect(equityPath([], 100)).toBeUndefined();
    expect(equityPath([{ at: at(1), equity: 100 }], 100)).toBeUndefined();
  });
});
