import { render } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { BeforeOnboarding, PublicOnly, RequireUser } from '../../../../src/client/app/guards';
import { closeOnboarding } from '../../../../src/client/platform/flags';
import { endSession, signIn, startSession } from '../../../../src/client/platform/session/session';
import { makeTokens } from '../../../support/tokens';

/** What a visitor finds: the page, or where the guard sent them. */
function visit(Guard: typeof PublicOnly): string {
  window.history.replaceState(null, '', '/here');
  const { container, unmount } = render(
    <Guard>
      <p>the page</p>
    </Guard>,
  );
  const found = container.textContent || location.pathname;
  unmount();
  return found;
}

/** Somebody who comes to a device where nobody is signed in. */
const visitor = async () => {
  await endSession();
  await startSession();
};
const member = () => signIn(makeTokens(), true);
const formerMember = async () => {
  await member();
  await endSession();
};

beforeEach(() => localStorage.clear());

describe('before onboarding is finished', () => {
  it('everything but onboarding leads to the start', async () => {
    await visitor();
    expect(visit(PublicOnly)).toBe('/');
    expect(visit(RequireUser)).toBe('/');
    expect(visit(BeforeOnboarding)).toBe('the page');
  });

  it('also for somebody who is signed in', async () => {
    await member();
    expect(visit(PublicOnly)).toBe('/');
    expect(visit(RequireUser)).toBe('/');
  });
});

describe('after onboarding', () => {
  beforeEach(closeOnboarding);

  it('a visitor may sign up and log in, and nothing else', async () => {
    await visitor();
    expect(visit(PublicOnly)).toBe('the page');
    expect(visit(BeforeOnboarding)).toBe('/sign-up');
    expect(visit(RequireUser)).toBe('/');
  });

  it('somebody whose session ended is asked to log in', async () => {
    await formerMember();
    expect(visit(RequireUser)).toBe('/login');
    expect(visit(PublicOnly)).toBe('the page');
  });

  it('a signed-in user has the app, and no forms of visitors', async () => {
    await member();
    expect(visit(RequireUser)).toBe('the page');
    expect(visit(PublicOnly)).toBe('/home');
    expect(visit(BeforeOnboarding)).toBe('/sign-up');
  });
});
