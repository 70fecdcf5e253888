import type { ComponentType } from 'react';
import type { Ahead } from '../platform/cache/read-ahead.ts';
import { type Load, lateComponent } from '../platform/late-component.tsx';

/** Who may see a page (guards.tsx). The last four need a signed-in user; the last three have the frame of the main app. */
type Guard = 'none' | 'public' | 'onboarding' | 'inner' | 'user' | 'profile' | 'account';

export interface PageCode {
  default: ComponentType<PathValues>;
  /** Returns what the page reads from the device for its first render. */
  ahead?: (location: Pick<Location, 'pathname' | 'search'>, userId: string) => Ahead[];
}

export interface AppRoute {
  /** Patterns of addresses with one page, which stays mounted between them. */
  paths: readonly string[];
  guard: Guard;
  /** The `paths` with the tab bar on phones. Wide screens show the rail on every framed page. */
  tabs: readonly string[];
  page: ComponentType<PathValues>;
  load: () => Promise<PageCode>;
}

/** Values of the parameters in the address. */
type PathValues = Record<string, string | undefined>;

function page(
  path: string | string[],
  guard: Guard,
  code: () => Promise<{ default: ComponentType<never> }>,
  tabs: boolean | string[] = false,
): AppRoute {
  const paths = [path].flat();
  const tabbed = Array.isArray(tabs) ? tabs : paths.filter(() => tabs);
  // Each page declares the parameters of its own path; the router passes exactly those.
  const { component, load } = lateComponent(code as Load<PathValues>);
  return { paths, guard, tabs: tabbed, page: component, load };
}

/** Every address of the app. */
export const routes: readonly AppRoute[] = [
  page('/', 'none', () => import('../features/onboarding/splash-page.tsx')),
  page('/onboarding/one', 'onboarding', () => import('../features/onboarding/one-page.tsx')),
  page('/onboarding/two', 'onboarding', () => import('../features/onboarding/two-page.tsx')),
  page('/onboarding/three', 'onboarding', () => import('../features/onboarding/three-page.tsx')),
  page('/sign-up', 'public', () => import('../features/account/sign-up/sign-up-page.tsx')),
  page('/login', 'public', () => import('../features/account/sign-in/login-page.tsx')),
  page('/forgot-password', 'public', () => import('../features/account/recovery/forgot-password-page.tsx')),
  page('/verify-email', 'public', () => import('../features/account/verification/verify-email-page.tsx')),
  page('/reset-password', 'none', () => import('../features/account/recovery/reset-password-page.tsx')),
  page('/verification-email', 'none', () => import('../features/account/verification/verification-page.tsx')),
  page('/home', 'user', () => import('./pages/home-page.tsx').then(({ default: Page, ahead }) => ({ default: Page, ahead })), true),
  page(
    ['/archive', '/chat', '/chat/archive/:archiveId'],
    'user',
    () => import('./pages/conversations-page.tsx').then(({ default: Page, ahead }) => ({ default: Page, ahead })),
    ['/archive'],
  ),
  page(
    ['/crypto', '/crypto/details/:cryptoId'],
    'user',
    () => import('./pages/market-page.tsx').then(({ default: Page, ahead }) => ({ default: Page, ahead })),
    true,
  ),
  page('/crypto/crypto-search', 'user', () => import('../features/market/search/search-page.tsx'), true),
  page('/crypto/watchlist', 'user', () => import('../features/watchlist/market-watchlist-page.tsx'), true),
  page('/settings/account', 'account', () => import('./pages/account-page.tsx'), true),
  page('/settings/watchlist', 'user', () => import('../features/watchlist/watchlist-page.tsx')),
  page('/pricing', 'profile', () => import('../features/plans/pricing/pricing-page.tsx')),
  page('/settings/manage-subscription', 'profile', () => import('../features/plans/manage/manage-page.tsx')),
  page(['/settings/notification', '/settings/notification/settings'], 'user', () => import('./pages/notification-page.tsx')),
  page('/settings/alerts', 'user', () => import('../features/alerts/alerts-page.tsx')),
  page('/settings/storage', 'user', () => import('./pages/storage-page.tsx')),
  page('/settings/devices', 'user', () => import('../features/devices/devices-page.tsx')),
  page('/settings/profile', 'profile', () => import('../features/profile/profile-page.tsx')),
  page('/settings/help-center', 'user', () => import('../features/help/help-page.tsx')),
  page('/training-insight', 'user', () => import('../features/insight/insight-page.tsx')),
  page('/indicator', 'inner', () => import('../features/insight/indicator-page.tsx')),
  page(
    ['/trading-bot', '/trading-bot/configure', '/trading-bot/bots/:botId', '/trading-bot/backtests', '/trading-bot/backtests/:backtestId'],
    'profile',
    () => import('../features/bots/bots-page.tsx'),
  ),
  page('/shared', 'none', () => import('../features/chat/shared-page/shared-page.tsx')),
  page('/settings/terms-and-conditions', 'none', () => import('../features/legal/terms-page.tsx')),
  page('/settings/privacy-policies', 'none', () => import('../features/legal/privacy-page.tsx')),
];

export const isForUsers = ({ guard }: AppRoute): boolean => ['user', 'profile', 'account'].includes(guard);
