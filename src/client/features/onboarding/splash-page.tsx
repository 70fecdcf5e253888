import { useEffect, useLayoutEffect } from 'react';
import { isOnboardingClosed } from '#client/platform/flags.ts';
import { history } from '#client/platform/router/history.ts';
import { sessionState } from '#client/platform/session/session.ts';
import { PRODUCT } from '#domain/product.ts';

const SPLASH_MS = 2_600;

function nextPath(): string {
  if (!isOnboardingClosed()) return '/onboarding/one';
  const session = sessionState();
  if (session.status === 'signed-in') return '/home';
  return session.status === 'signed-out' && session.ended ? '/login' : '/sign-up';
}

/** `/`: index.html draws the logo and spinner, and shows them while the document has `data-splash`. */
export default function SplashPage() {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.splash = '';
    return () => void delete dataset.splash;
  }, []);
  useEffect(() => {
    const end = setTimeout(() => history.replace(nextPath()), SPLASH_MS);
    return () => clearTimeout(end);
  }, []);
  return (
    <div className="sr-only">
      <h1>{PRODUCT}</h1>
      <p role="status">Loading</p>
    </div>
  );
}
