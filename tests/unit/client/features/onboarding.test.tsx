import { readFileSync } from 'node:fs';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import OnePage from '#client/features/onboarding/one-page.tsx';
import SplashPage from '#client/features/onboarding/splash-page.tsx';
import ThreePage from '#client/features/onboarding/three-page.tsx';
import TwoPage from '#client/features/onboarding/two-page.tsx';
import { closeOnboarding, isOnboardingClosed } from '#client/platform/flags.ts';
import { endSession, signIn, startSession } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const SPLASH = 2_600;

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});
afterEach(() => vi.useRealTimers());

describe('the splash', () => {
  /** Returns the path after 2600 ms. The splash stays until then. */
  function destination(): string {
    vi.useFakeTimers();
    render(<SplashPage />);
    act(() => vi.advanceTimersByTime(SPLASH - 1));
    expect(location.pathname).toBe('/');
    act(() => vi.advanceTimersByTime(1));
    return location.pathname;
  }

  it('sends a new visitor to onboarding', async () => {
    await startSession();
    expect(destination()).toBe('/onboarding/one');
  });

  it('sends a visitor who has finished it to sign-up', async () => {
    await startSession();
    closeOnboarding();
    expect(destination()).toBe('/sign-up');
  });

  it('sends a signed-in user home', async () => {
    await signIn(makeTokens(), true);
    closeOnboarding();
    expect(destination()).toBe('/home');
  });

  it('sends a user whose session ended to login', async () => {
    await signIn(makeTokens(), true);
    await endSession();
    closeOnboarding();
    expect(destination()).toBe('/login');
  });

  it('keeps the drawing of index.html visible', () => {
    const { getByRole, unmount } = render(<SplashPage />);
    expect(getByRole('heading').textContent).toBe('Tidemark');
    expect(document.documentElement.dataset).toHaveProperty('splash');
    expect(readFileSync('index.html', 'utf8')).toMatch(/<div id="root"><\/div>[\s\S]*<div class="boot" aria-hidden="true">/);
    expect(readFileSync('src/client/ui/theme/base.css', 'utf8')).toContain('html[data-splash] .boot');
    unmount();
    expect(document.documentElement.dataset).not.toHaveProperty('splash');
  });

  it('has a logo and a spinner', () => {
    const boot = document.createElement('div');
    boot.innerHTML = readFileSync('index.html', 'utf8');
    const splash = boot.querySelector('.boot');
    expect(splash?.querySelector('svg.boot-mark')).not.toBeNull();
    expect(splash?.querySelector('.boot-name')?.textContent).toBe('Tidemark');
    expect(splash?.querySelector('.boot-spinner')).not.toBeNull();
  });

  it('does not navigate after it was left', () => {
    vi.useFakeTimers();
    const { unmount } = render(<SplashPage />);
    unmount();
    vi.advanceTimersByTime(SPLASH * 2);
    expect(location.pathname).toBe('/');
  });
});

describe('the three screens', () => {
  const links = () => Object.fromEntries(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]));

  it.each([
    [
      1,
      OnePage,
      'Welcome to Tidemark',
      'Discover a smarter way to navigate the crypto market with AI insights.',
      { Skip: '/onboarding/three', Next: '/onboarding/two' },
    ],
    [
      2,
      TwoPage,
      'Stay Updated with Real-Time Market Data',
      'Track top cryptocurrencies and get the latest market trends at your fingertips.',
      { Skip: '/onboarding/three', Next: '/onboarding/three' },
    ],
  ])('screen %i', (step, Page, title, text, expected) => {
    render(<Page />);
    const heading = screen.getByRole('heading', { level: 1, name: title });
    expect(document.activeElement).toBe(heading);
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe(String(step));
    expect(links()).toEqual(expected);
  });

  it('screen 3 ends onboarding and opens sign-up', () => {
    render(<ThreePage />);
    expect(screen.getByRole('heading', { name: 'Ask and analyze with Tidemark AI' })).toBeDefined();
    expect(screen.getByText('Get AI insights by asking questions or uploading chart images for tailored analysis.')).toBeDefined();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('3');
    expect(isOnboardingClosed()).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: 'Get Started' }));
    expect(isOnboardingClosed()).toBe(true);
    expect(location.pathname).toBe('/sign-up');
  });
});
