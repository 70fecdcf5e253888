import { useEffect } from 'react';
import { PRODUCT } from '#domain/product.ts';

/** Titles for browser tabs, bookmarks and screen readers. An address takes the title of the longest matching prefix. */
const TITLES: Record<string, string> = {
  '/onboarding': 'Welcome',
  '/sign-up': 'Create an Account',
  '/login': 'Log In',
  '/forgot-password': 'Forgot Password',
  '/verify-email': 'Email Verify',
  '/verification-email': 'Verification Code',
  '/reset-password': 'Reset Password',
  '/home': 'Home',
  '/chat': 'Chat',
  '/archive': 'Archive',
  '/crypto': 'Market',
  '/crypto/crypto-search': 'Search',
  '/crypto/details': 'Coin',
  '/crypto/watchlist': 'Watchlist',
  '/pricing': 'Order Pricing Plan',
  '/shared': 'Shared chat',
  '/trading-bot': 'Trading Bot',
  '/trading-bot/configure': 'Configure Trading Bot',
  '/trading-bot/backtests': 'Backtest',
  '/training-insight': 'Chart Analysis',
  '/indicator': 'Chart Analysis',
  '/settings': 'Settings',
  '/settings/alerts': 'Price Alerts',
  '/settings/devices': 'Signed-in devices',
  '/settings/manage-subscription': 'Manage Subscription',
  '/settings/notification': 'Notifications',
  '/settings/help-center': 'Help Center',
  '/settings/profile': 'Account',
  '/settings/storage': 'Storage and Data',
  '/settings/watchlist': 'Watchlist',
  '/settings/terms-and-conditions': 'Terms and Conditions',
  '/settings/privacy-policies': 'Privacy Policy',
};

/** Returns the title of the page at an address, undefined for an unknown one. */
export function titleOf(pathname: string): string | undefined {
  const parts = pathname.split('/').filter(Boolean);
  for (let length = parts.length; length > 0; length--) {
    const title = TITLES[`/${parts.slice(0, length).join('/')}`];
    if (title) return title;
  }
  return undefined;
}

export function pageTitle(pathname: string): string {
  const title = titleOf(pathname);
  return title ? `${title} · ${PRODUCT}` : PRODUCT;
}

export function usePageTitle(pathname: string) {
  useEffect(() => {
    document.title = pageTitle(pathname);
  }, [pathname]);
}
