import type { Page } from '@playwright/test';
import { candlePicture } from '../support/charts/candle-picture.ts';
import { ARCHIVE } from '../support/chat/chat-rows.ts';
import { writeMessage } from '../support/help/contact-page.ts';
import type { RunningApp } from '../support/processes/app.ts';
import type { Answers } from './devices.ts';
import { WORD } from './hostile.ts';
import { ada } from './people.ts';

export type DeviceName = 'arriving' | 'visiting' | 'new' | 'bare' | 'used' | 'hostile';

/** One state of one screen. */
export interface Scene {
  /** Route pattern of the app, or ELSEWHERE. */
  route: string;
  name: string;
  on: DeviceName;
  /** Address, when the route has parameters. */
  at?: string;
  answers?: Answers;
  offline?: boolean;
  /** Takes a full-page shot. */
  tall?: boolean;
  /** Continues on the page of the previous scene. */
  stays?: boolean;
  /** Later scenes depend on this one. */
  leads?: boolean;
  /** Brings the opened page into the state. */
  act?: (page: Page, app: RunningApp) => Promise<unknown>;
}

export const ELSEWHERE = '/no-such-page';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const press = (name: string | RegExp) => (page: Page) => button(page, name).first().click();
const chooseAction = (name: string) => async (page: Page) => {
  await button(page, 'Watchlist actions').click();
  await page.getByRole('menuitem', { name }).click();
};
const picture = async () => ({ name: 'chart.png', mimeType: 'image/png', buffer: await candlePicture() });

async function ask(page: Page, question: string) {
  await page.getByRole('textbox').last().fill(question);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/chat/archive/*');
  await button(page, 'Copy').last().waitFor({ timeout: 60_000 });
}

const DETAILS = '/crypto/details/:cryptoId';
const CHAT = '/chat/archive/:archiveId';
const BOT = '/trading-bot/bots/:botId';
const BACKTEST = '/trading-bot/backtests/:backtestId';

const arriving: Scene[] = [{ route: '/', name: 'splash', on: 'arriving' }];

const visiting: Scene[] = [
  ...['one', 'two', 'three'].map((page): Scene => ({ route: `/onboarding/${page}`, name: 'content', on: 'visiting' })),
  { route: '/sign-up', name: 'content', on: 'visiting', at: '/onboarding/three', act: press('Get Started'), leads: true },
  { route: '/sign-up', name: 'refused', on: 'visiting', act: press('Sign Up'), tall: true },
  { route: '/shared', name: 'incomplete link', on: 'visiting' },
  { route: '/login', name: 'content', on: 'visiting' },
  {
    route: '/login',
    name: 'refused',
    on: 'visiting',
    act: async (page) => {
      await page.getByLabel('Email').fill('customer.with.a.long.address@subdomain.example.com');
      await page.getByLabel('Password', { exact: true }).fill('Wrong1');
      await press('Log In')(page);
    },
  },
  { route: '/login', name: 'offline', on: 'visiting', stays: true, offline: true, act: press('Log In') },
  { route: '/forgot-password', name: 'content', on: 'visiting' },
  { route: '/forgot-password', name: 'refused', on: 'visiting', act: press('Send Reset Otp') },
  { route: '/verify-email', name: 'content', on: 'visiting' },
  {
    route: '/verification-email',
    name: 'content',
    on: 'visiting',
    at: '/forgot-password',
    leads: true,
    act: async (page, app) => {
      await fetch(`${app.url}/api/auth/register/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ first_name: 'Ada', last_name: 'King', country: '', email: 'forgets@example.com', password: ada.password }),
      });
      const email = 'forgets@example.com';
      const code = await app.readCode(email);
      await fetch(`${app.url}/api/auth/verify-otp/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, recoveryCode: code }),
      });
      await page.getByLabel('Email').fill(email);
      await press('Send Reset Otp')(page);
      await page.waitForURL('**/verification-email');
    },
  },
  {
    route: '/verification-email',
    name: 'refused',
    on: 'visiting',
    stays: true,
    leads: true,
    act: async (page) => {
      await page.getByRole('textbox').first().fill('0000');
    },
  },
  {
    route: '/reset-password',
    name: 'content',
    on: 'visiting',
    stays: true,
    leads: true,
    act: async (page, app) => {
      await page
        .getByRole('textbox')
        .first()
        .fill(await app.readCode('forgets@example.com'));
      await page.waitForURL('**/reset-password');
    },
  },
  { route: '/reset-password', name: 'refused', on: 'visiting', stays: true, act: press('Set New Password') },
  { route: '/settings/terms-and-conditions', name: 'content', on: 'visiting' },
  { route: '/settings/privacy-policies', name: 'content', on: 'visiting' },
  { route: ELSEWHERE, name: 'content', on: 'visiting' },
];

/** Pages with data: shot empty, loading, failed and offline. */
const LISTS: readonly [route: string, at?: string][] = [
  ['/home'],
  ['/archive'],
  ['/chat'],
  [CHAT, `/chat/archive/${ARCHIVE}`],
  ['/crypto'],
  [DETAILS, '/crypto/details/1'],
  ['/settings/account'],
  ['/settings/watchlist'],
  ['/settings/alerts'],
  ['/settings/notification'],
  ['/settings/notification/settings'],
  ['/settings/devices'],
  ['/settings/storage'],
  ['/settings/help-center'],
  ['/indicator'],
  ['/pricing'],
  ['/settings/manage-subscription'],
  ['/settings/profile'],
  ['/trading-bot'],
  ['/trading-bot/backtests'],
  [BACKTEST, '/trading-bot/backtests/backtest-1'],
  [BOT, '/trading-bot/bots/bot-1'],
];

const lists = (name: string, on: DeviceName, rest: Partial<Scene> = {}): Scene[] =>
  LISTS.map(([route, at]) => ({ route, name, on, ...(at && { at }), ...rest }));

const fresh: Scene[] = [
  ...lists('empty', 'new').filter(({ route }) => ![CHAT, DETAILS, BOT, BACKTEST, '/crypto', '/pricing'].includes(route)),
  { route: '/chat', name: 'notice dismissed', on: 'new', at: '/chat', act: press(/^(Dismiss|Close)/) },
  { route: '/pricing', name: 'content', on: 'new', tall: true },
  { route: '/pricing', name: 'test store', on: 'new', at: '/pricing#premium' },
  { route: '/training-insight', name: 'intro', on: 'new' },
  { route: '/training-insight', name: 'indicator', on: 'new', stays: true, act: press('Continue') },
  {
    route: '/trading-bot',
    name: 'create form',
    on: 'new',
    tall: true,
    act: async (page) => {
      await page.getByRole('checkbox').check();
      await press('Continue')(page);
    },
  },
  {
    route: '/trading-bot',
    name: 'create form refused',
    on: 'new',
    stays: true,
    tall: true,
    act: async (page) => {
      await page.getByLabel('Bot Name').fill('Tide one');
      await page.getByLabel('Position Size').fill('1000');
      await page.getByLabel('API Key').fill('some-key');
      await page.getByLabel('Secret Key').fill('some-secret');
      await press('Create Bot')(page);
    },
  },
];

const bare: Scene[] = [
  ...lists('loading', 'bare', { answers: 'held' }),
  ...lists('error', 'bare', { answers: 'refused' }),
  ...lists('nothing saved', 'bare', { answers: 'unreachable' }),
];

const used: Scene[] = [
  { route: '/chat', name: 'first answer', on: 'used', act: (page) => ask(page, 'What is the price of Bitcoin?') },
  {
    route: '/chat',
    name: 'picture in the composer',
    on: 'used',
    leads: true,
    act: async (page) => {
      await page.locator('[data-way=Gallery]').setInputFiles(await picture());
      await button(page, 'Remove picture').waitFor();
    },
  },
  { route: '/chat', name: 'attach menu', on: 'used', stays: true, act: press('Attach a picture') },
  {
    route: CHAT,
    name: 'answered picture',
    on: 'used',
    at: '/chat',
    leads: true,
    act: (page) => ask(page, 'Where are the levels of this chart?'),
  },
  { route: CHAT, name: 'picture viewed', on: 'used', stays: true, act: press('View picture') },
  { route: '/home', name: 'content', on: 'used' },
  { route: '/archive', name: 'content', on: 'used' },
  {
    route: '/archive',
    name: 'row menu',
    on: 'used',
    stays: true,
    act: (page) => page.locator('main [aria-haspopup=menu]').first().click(),
  },
  { route: '/archive', name: 'rename', on: 'used', stays: true, act: (page) => page.getByRole('menuitem', { name: 'Rename' }).click() },
  { route: '/crypto', name: 'content', on: 'used' },
  { route: '/crypto', name: 'ranking list', on: 'used', stays: true, act: press(/^Ranking type/) },
  { route: '/crypto', name: 'filter', on: 'used', act: press(/^Filter/) },
  { route: '/crypto', name: 'nothing found', on: 'used', at: '/crypto?priceMin=99999999999' },
  { route: '/crypto/crypto-search', name: 'start', on: 'used' },
  { route: '/crypto/crypto-search', name: 'found', on: 'used', stays: true, act: (page) => page.getByRole('searchbox').fill('bit') },
  { route: '/crypto/crypto-search', name: 'not found', on: 'used', stays: true, act: (page) => page.getByRole('searchbox').fill('zzzzzz') },
  { route: DETAILS, name: 'content', on: 'used', at: '/crypto/details/1' },
  { route: DETAILS, name: 'whole', on: 'used', at: '/crypto/details/1', tall: true },
  {
    route: DETAILS,
    name: 'one day',
    on: 'used',
    at: '/crypto/details/1',
    act: (page) => page.getByRole('radio', { name: '1 day' }).check({ force: true }),
  },
  {
    route: DETAILS,
    name: 'compared',
    on: 'used',
    at: '/crypto/details/1027',
    act: async (page) => {
      await button(page, /Compare with/).click();
      await page.getByRole('option', { name: 'Bitcoin (BTC)' }).click();
    },
  },
  { route: DETAILS, name: 'table', on: 'used', at: '/crypto/details/1', act: press('Table') },
  { route: DETAILS, name: 'not listed', on: 'used', at: '/crypto/details/987654' },
  { route: '/crypto/watchlist', name: 'content', on: 'used' },
  { route: '/settings/watchlist', name: 'content', on: 'used' },
  { route: '/settings/watchlist', name: 'removed', on: 'used', act: press(/^Remove/) },
  { route: '/settings/watchlist', name: 'order', on: 'used', act: chooseAction('Change order') },
  { route: '/settings/watchlist', name: 'import', on: 'used', act: chooseAction('Import from CSV') },
  { route: '/settings/alerts', name: 'content', on: 'used', tall: true },
  { route: '/settings/alerts', name: 'form', on: 'used', act: press('Watchlist alert') },
  { route: DETAILS, name: 'alert form', on: 'used', at: '/crypto/details/1', act: press(/^Set alert for/) },
  { route: '/settings/notification', name: 'content', on: 'used' },
  { route: '/settings/account', name: 'content', on: 'used' },
  { route: '/settings/account', name: 'logout', on: 'used', stays: true, act: press('Logout') },
  { route: '/settings/account', name: 'deletion', on: 'used', act: press('Delete Account') },
  { route: '/settings/profile', name: 'content', on: 'used', tall: true },
  { route: '/settings/profile', name: 'countries', on: 'used', act: press(/^Country/) },
  { route: '/settings/manage-subscription', name: 'content', on: 'used' },
  { route: '/settings/devices', name: 'content', on: 'used' },
  { route: '/settings/storage', name: 'content', on: 'used', tall: true },
  {
    route: '/settings/help-center',
    name: 'thanks',
    on: 'used',
    leads: true,
    act: (page) => writeMessage(page, 'The chart of Dogecoin stays empty on my tablet. Why is that?'),
  },
  { route: '/settings/help-center', name: 'content', on: 'used', tall: true },
  { route: '/settings/help-center', name: 'contact', on: 'used', act: press('Contact Us') },
  { route: '/home', name: 'palette', on: 'used', act: (page) => page.keyboard.press('/') },
  {
    route: '/home',
    name: 'palette results',
    on: 'used',
    stays: true,
    act: (page) => page.getByRole('combobox').pressSequentially('bit'),
  },
  { route: '/pricing', name: 'premium', on: 'used', tall: true },
  { route: '/indicator', name: 'content', on: 'used' },
  {
    route: BACKTEST,
    name: 'content',
    on: 'used',
    at: '/trading-bot/backtests',
    leads: true,
    tall: true,
    act: async (page) => {
      await press('Run Backtest')(page);
      await page.getByRole('region', { name: 'Figures' }).waitFor({ timeout: 60_000 });
    },
  },
  { route: '/trading-bot', name: 'content', on: 'used' },
  { route: '/trading-bot', name: 'stop', on: 'used', stays: true, act: press('Stop') },
  { route: '/trading-bot/configure', name: 'content', on: 'used', at: '/trading-bot', tall: true, act: press('Configure') },
  {
    route: BOT,
    name: 'content',
    on: 'used',
    at: '/trading-bot',
    leads: true,
    tall: true,
    act: (page) => page.getByRole('link', { name: 'Tide one' }).click(),
  },
  { route: BOT, name: 'edit', on: 'used', stays: true, act: press('Edit') },
  ...lists('offline', 'used', { offline: true }).filter(({ route }) => ![CHAT, BOT, BACKTEST].includes(route)),
];

const hostile: Scene[] = [
  { route: '/home', name: 'long names', on: 'hostile' },
  { route: '/archive', name: 'long titles', on: 'hostile' },
  { route: CHAT, name: 'long texts', on: 'hostile', at: `/chat/archive/${ARCHIVE}`, tall: true },
  { route: CHAT, name: 'sidebar', on: 'hostile', stays: true, act: press('Edit title') },
  { route: '/crypto', name: 'long names', on: 'hostile' },
  { route: DETAILS, name: 'long names', on: 'hostile', at: '/crypto/details/1', tall: true },
  { route: '/settings/account', name: 'long names', on: 'hostile' },
  { route: '/settings/profile', name: 'long names', on: 'hostile', tall: true },
  { route: '/settings/alerts', name: 'long texts', on: 'hostile', tall: true },
  { route: '/settings/notification', name: 'long texts', on: 'hostile' },
  { route: '/settings/help-center', name: 'long message', on: 'hostile', leads: true, act: (page) => writeMessage(page, WORD.repeat(4)) },
  { route: '/settings/help-center', name: 'long texts', on: 'hostile', tall: true },
  { route: '/trading-bot', name: 'every status', on: 'hostile', tall: true },
];

/** All scenes, in running order. */
export const scenes: readonly Scene[] = [...arriving, ...visiting, ...fresh, ...bare, ...used, ...hostile];
