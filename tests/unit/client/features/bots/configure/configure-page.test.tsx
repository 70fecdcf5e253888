import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import ConfigurePage from '#client/features/bots/configure/configure-page.tsx';
import TradingBotPage from '#client/features/bots/list/trading-bot-page.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { history } from '#client/platform/router/history.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';
import { config, fakeBots, LIST, listed, ok, show, signInEachTest, user } from '../fake-bots.tsx';

const STATE = { botName: 'Tide one', strategy: 'Trend following that enters at levels', asset: 'BTC replay', riskLevel: 'High' };
const amount = () => screen.getByLabelText<HTMLInputElement>('Investment Amount');
const slider = () => screen.getByRole<HTMLInputElement>('slider');
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Configure' }));
const estimates = () => {
  const region = within(screen.getByRole('region', { name: 'Yearly profit' }));
  return region.getAllByRole('term').map((term, index) => [term.textContent, region.getAllByRole('definition')[index]?.textContent]);
};

afterEach(() => void vi.restoreAllMocks());
signInEachTest();
beforeEach(() => history.push('/trading-bot/configure', STATE));

it.each([undefined, {}, { ...STATE, riskLevel: undefined }])('redirects to the bots without its state (%j)', (state) => {
  history.push('/trading-bot/configure', state);
  show(<ConfigurePage />);
  expect(location.pathname).toBe('/trading-bot');
});

it('opens from a card with its state', async () => {
  fakeBots({ 'GET /api/auth/user/user-1/': ok(user()), 'GET /api/config': config(), [LIST]: listed(bot()) });
  history.replace('/trading-bot');
  show(<TradingBotPage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Configure' }));
  expect(history.location).toMatchObject({ pathname: '/trading-bot/configure', state: STATE });
});

describe('with its state', () => {
  it('says that it only estimates, and leads to the settings of the bot', () => {
    history.replace('/trading-bot/configure', { ...STATE, botId: 'bot-1' });
    show(<ConfigurePage />);
    expect(screen.getByText(/estimates a yearly profit by the advertised factors\. It changes no bot\./)).toBeDefined();
    expect(screen.getByRole('link', { name: "Open the bot's real settings" }).getAttribute('href')).toBe('/trading-bot/bots/bot-1');
  });

  it('has a slider from 5 to 15 that starts at 10, and three yearly estimates', () => {
    show(<ConfigurePage />);
    expect([slider().min, slider().max, slider().value]).toEqual(['5', '15', '10']);
    fireEvent.change(amount(), { target: { value: '1,000 USD' } });
    expect(amount().value).toBe('1000');
    expect(estimates()).toEqual([
      ['Conservative', '$27.50'],
      ['Average', '$55.00'],
      ['Optimistic', '$110.00'],
    ]);
    fireEvent.change(slider(), { target: { value: '15' } });
    expect(estimates()[2]).toEqual(['Optimistic', '$115.00']);
  });

  it('requires an amount', async () => {
    show(<ConfigurePage />);
    submit();
    expect((await screen.findByRole('alert')).textContent).toBe('Please enter your investment amount');
  });

  it('confirms without a request, and prefills the next position size', async () => {
    const asked = fakeApi({});
    show(<ConfigurePage />);
    fireEvent.change(amount(), { target: { value: '2500' } });
    submit();
    expect(await screen.findByText('Trading bot configured successfully!')).toBeDefined();
    expect(asked).toEqual([]);

    cleanup();
    fakeBots({ 'GET /api/auth/user/user-1/': ok(user()), 'GET /api/config': config(), [LIST]: listed() });
    history.replace('/trading-bot');
    show(<TradingBotPage />);
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Position Size').value).toBe('2500'));
    expect(screen.getByText('From the Configure page.')).toBeDefined();
  });

  it('reports a failure', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(userDb('user-1').drafts, 'put').mockRejectedValueOnce(new Error('quota'));
    show(<ConfigurePage />);
    fireEvent.change(amount(), { target: { value: '2500' } });
    submit();
    expect(await screen.findByText('An error occurred while configuring the trading bot.')).toBeDefined();
  });
});
