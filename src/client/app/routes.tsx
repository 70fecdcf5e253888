import type { ComponentType } from 'react';
import { type LoadPage, latePage, type Page } from './late-page';

/** Who may see a page (guards.tsx). `inner`: a signed-in user. The last three: one, in the frame of the main app. */
type Guard = 'none' | 'public' | 'onboarding' | 'inner' | 'user' | 'profile' | 'account';

export interface AppRoute {
  /** Addresses that lead to one page: it stays mounted between them. */
  paths: readonly string[];
  guard: Guard;
  /** Those of `paths` which show the tab bar on phones. Wide screens show the rail on every page behind the guard. */
  tabs: readonly string[];
  page: Page;
  load: LoadPage;
}

type Load = () => Promise<{ default: ComponentType<never> }>;

function page(path: string | string[], guard: Guard, load: Load, tabs: boolean | string[] = false): AppRoute {
  const paths = [path].flat();
  const tabbed = Array.isArray(tabs) ? tabs : paths.filter(() => tabs);
  // Each page declares the parameters of its own path; the router gives exactly those.
  return { paths, guard, tabs: tabbed, ...latePage(load as LoadPage) };
}

/** Every address of the app (spec §2). */
export const routes: readonly AppRoute[] = [
  page('/', 'none', () => import('../features/onboarding/splash-page')),
  page('/onboarding/one', 'onboarding', () => import('../features/onboarding/one-page')),
  page('/onboarding/two', 'onboarding', () => import('../features/onboarding/two-page')),
  page('/onboarding/three', 'onboarding', () => import('../features/onboarding/three-page')),
  page('/sign-up', 'public', () => import('../features/account/sign-up-page')),
  page('/login', 'public', () => import('../features/account/login-page')),
  page('/forgot-password', 'public', () => import('../features/account/forgot-password-page')),
  page('/verify-email', 'public', () => import('../features/account/verify-email-page')),
  page('/reset-password', 'none', () => import('../features/account/reset-password-page')),
  page('/verification-email', 'none', () => import('../features/account/verification-page')),
  page('/home', 'user', () => import('./pages/home-page'), true),
  page(['/archive', '/chat', '/chat/archive/:archiveId'], 'user', () => import('./pages/conversations-page'), ['/archive']),
  page(['/crypto', '/crypto/details/:cryptoId'], 'user', () => import('./pages/market-page'), true),
  page('/crypto/crypto-search', 'user', () => import('../features/market/search-page'), true),
  page('/settings/account', 'account', () => import('./pages/account-page'), true),
  page('/settings/watchlist', 'user', () => import('../features/watchlist/watchlist-page')),
  page('/pricing', 'profile', () => import('../features/plans/pricing-page')),
  page('/settings/manage-subscription', 'profile', () => import('../features/plans/manage-page')),
  page('/settings/notification', 'user', () => import('../features/notifications/notifications-page')),
  page('/settings/storage', 'user', () => import('../features/storage/storage-page')),
  page('/settings/devices', 'user', () => import('../features/devices/devices-page')),
  page('/settings/profile', 'profile', () => import('../features/profile/profile-page')),
  page('/settings/help-center', 'user', () => import('../features/help/help-page')),
  page('/training-insight', 'user', () => import('../features/insight/insight-page')),
  page('/indicator', 'inner', () => import('../features/insight/indicator-page')),
  page(['/trading-bot', '/trading-bot/configure', '/trading-bot/bots/:botId'], 'profile', () => import('../features/bots/bots-page')),
  page('/settings/terms-and-conditions', 'none', () => import('../features/legal/terms-page')),
  page('/settings/privacy-policies', 'none', () => import('../features/legal/privacy-page')),
];

export const isForUsers = ({ guard }: AppRoute): boolean => ['user', 'profile', 'account'].includes(guard);

const matches = (pattern: string, pathname: string) => new RegExp(`^${pattern.replace(/:[^/]+/g, '[^/]+')}/?$`).test(pathname);

export const findRoute = (pathname: string): AppRoute | undefined =>
  routes.find(({ paths }) => paths.some((path) => matches(path, pathname)));

export const showsTabs = (pathname: string): boolean => routes.some(({ tabs }) => tabs.some((path) => matches(path, pathname)));

/** Starts fetching the code of the page at `pathname`. A failure shows itself again when the page renders. */
export const preloadRoute = (pathname: string): Promise<unknown> =>
  findRoute(pathname)
    ?.load()
    .catch(() => undefined) ?? Promise.resolve();
