import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BeforeOnboarding, PublicOnly, RequireLogin, RequireProfile, RequireUser } from '#client/app/guards.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { closeOnboarding } from '#client/platform/flags.ts';
import { endSession, signIn, startSession } from '#client/platform/session/session.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { fakeApi } from '#tests/support/client/fake-api.ts';

/** Returns the page's text, or the path that the guard redirected to. */
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

/** A visitor on a device without a session. */
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
  it('all other pages redirect to the start', async () => {
    await visitor();
    expect(visit(PublicOnly)).toBe('/');
    expect(visit(RequireUser)).toBe('/');
    expect(visit(BeforeOnboarding)).toBe('the page');
  });

  it('signed-in users are redirected to the start too', async () => {
    await member();
    expect(visit(PublicOnly)).toBe('/');
    expect(visit(RequireUser)).toBe('/');
  });
});

describe('after onboarding', () => {
  beforeEach(closeOnboarding);

  it('a visitor can only sign up and log in', async () => {
    await visitor();
    expect(visit(PublicOnly)).toBe('the page');
    expect(visit(BeforeOnboarding)).toBe('/sign-up');
    expect(visit(RequireUser)).toBe('/');
  });

  it('a user whose session ended is redirected to login', async () => {
    await formerMember();
    expect(visit(RequireUser)).toBe('/login');
    expect(visit(PublicOnly)).toBe('the page');
  });

  it('a signed-in user can open the app, but not the visitors’ forms', async () => {
    await member();
    expect(visit(RequireUser)).toBe('the page');
    expect(visit(PublicOnly)).toBe('/home');
    expect(visit(BeforeOnboarding)).toBe('/sign-up');
  });
});

it('the account menu redirects signed-out users to login', async () => {
  await visitor();
  expect(visit(RequireLogin)).toBe('/login');
  await formerMember();
  expect(visit(RequireLogin)).toBe('/login');
  await member();
  expect(visit(RequireLogin)).toBe('the page');
});

it('public pages remove the stored data of the code screen', async () => {
  closeOnboarding();
  await visitor();
  sessionStorage.setItem('tidemark:note/verification', 'sealed');
  visit(PublicOnly);
  expect(sessionStorage).toHaveLength(0);
});

describe('pages about the user', () => {
  const call = 'GET /api/auth/user/user-1/';
  const profile = profileOf();
  const open = () =>
    render(
      <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
        <RequireProfile>
          <p>the page</p>
        </RequireProfile>
      </SWRConfig>,
    );

  beforeEach(async () => {
    await userDb('user-1').delete();
    await userDb('user-1').open();
    await member();
  });
  afterEach(() => vi.unstubAllGlobals());

  it('open at once with a stored profile, online or offline', async () => {
    fakeApi({});
    await userDb('user-1').profile.put(profile);
    open();
    await screen.findByText('the page');
  });

  it('wait for the user’s profile from the server', async () => {
    const asked = fakeApi({ [call]: { status: 200, body: { status: 200, data: profile } } });
    open();
    expect(screen.getByRole('heading', { name: 'Loading' })).toBeDefined();
    await screen.findByText('the page');
    expect(asked.map((each) => each.call)).toEqual([call]);
  });

  it('show an error and a retry if neither device nor server returns the profile', async () => {
    fakeApi({});
    open();
    expect((await screen.findByRole('alert')).textContent).toContain('Your profile could not be loaded');
    expect(screen.getByRole('alert').textContent).toContain('No connection.');
    fakeApi({ [call]: { status: 200, body: { status: 200, data: profile } } });
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('the page');
    await waitFor(async () => expect(await userDb('user-1').profile.count()).toBe(1));
  });
});
