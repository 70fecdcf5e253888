import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rowMenuKnown } from '#client/platform/device-choices/row-menu-known.ts';
import { hold } from '#client/platform/pwa/busy.ts';
import { type InstallEvent, installOffer } from '#client/platform/pwa/install-offer.ts';
import { reportAnswer } from '#client/platform/pwa/real-use.ts';
import { history } from '#client/platform/router/history.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const worker = vi.hoisted(() => ({ update: undefined as (() => void) | undefined }));
vi.mock('#client/platform/pwa/register-worker.ts', () => ({ useWaitingUpdate: () => worker.update }));
const { Prompts } = await import('#client/app/prompts/prompts.tsx');
const { AlertHost } = await import('#client/app/alerts/alert-host.tsx');

const OFFER = 'Install Tidemark';
const UPDATE = 'A new version of Tidemark is ready.';
const prompt = (title: string) => screen.queryByRole('region', { name: title });

let users = 0;
let userId: string;
let asked: number;

/** Chromium's install prompt. The user accepts it. */
function browserOffers() {
  const event = Object.assign(new Event('beforeinstallprompt'), {
    prompt: async () => {
      asked += 1;
    },
    userChoice: Promise.resolve({ outcome: 'accepted' }),
  });
  installOffer.set(event as InstallEvent);
}

beforeEach(async () => {
  localStorage.clear();
  worker.update = undefined;
  users += 1;
  asked = 0;
  userId = `prompted-${users}`;
  history.replace('/home');
  browserOffers();
  await signIn(makeTokens({ sub: userId }), true);
});

const stubbed: string[] = [];
/** happy-dom's navigator cannot be copied. */
function inNavigator(name: string, value: unknown) {
  Object.defineProperty(navigator, name, { value, configurable: true });
  stubbed.push(name);
}

afterEach(async () => {
  for (const name of stubbed.splice(0)) Reflect.deleteProperty(navigator, name);
  cleanup();
  installOffer.set(undefined);
  await endSession();
});

/** Waits long enough that an unwanted prompt would appear. */
const settle = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 50)));

describe('installing', () => {
  it('is not offered on entry', async () => {
    render(<Prompts />);
    await settle();
    act(() => history.push('/crypto'));
    await settle();
    expect(prompt(OFFER)).toBeNull();
  });

  it('is offered after an answer, on a main page, once per device', async () => {
    render(<Prompts />);
    act(() => reportAnswer(userId));
    expect(prompt(OFFER)).not.toBeNull();
    act(() => history.push('/chat'));
    expect(prompt(OFFER)).toBeNull();
    act(() => history.push('/crypto'));
    fireEvent.click(screen.getByRole('button', { name: 'No, thanks' }));
    expect(prompt(OFFER)).toBeNull();
    expect(asked).toBe(0);

    cleanup();
    render(<Prompts />);
    await settle();
    expect(prompt(OFFER)).toBeNull();
  });

  it('is offered if the answer was there before the prompts loaded', () => {
    reportAnswer(userId);
    render(<Prompts />);
    expect(prompt(OFFER)).not.toBeNull();
  });

  it('is not offered for the answer of another user', () => {
    reportAnswer('someone-else');
    render(<Prompts />);
    expect(prompt(OFFER)).toBeNull();
  });

  it('is offered on the third day, once the user opens another page', async () => {
    localStorage.setItem('visit-days', JSON.stringify(['Mon Jan 01 2024', 'Tue Jan 02 2024']));
    render(<Prompts />);
    await settle();
    expect(prompt(OFFER)).toBeNull();
    act(() => history.push('/archive'));
    fireEvent.click(await screen.findByRole('button', { name: 'Install' }));
    await waitFor(() => expect(asked).toBe(1));
    expect(prompt(OFFER)).toBeNull();
  });

  it('is explained if the browser has no prompt, and not offered if it is impossible', async () => {
    localStorage.setItem('visit-days', JSON.stringify(['Mon Jan 01 2024', 'Tue Jan 02 2024']));
    installOffer.set(undefined);
    render(<Prompts />);
    await settle();
    act(() => history.push('/crypto'));
    await settle();
    expect(screen.queryByRole('region')).toBeNull();
    cleanup();
    inNavigator('standalone', false);
    inNavigator('maxTouchPoints', 5);
    render(<Prompts />);
    await settle();
    act(() => history.push('/home'));
    expect((await screen.findByRole('region')).textContent).toContain('Add to Home Screen');
  });

  it('requests persistent storage', async () => {
    let persisted = 0;
    const storage = { persist: async () => Boolean(++persisted) };
    inNavigator('storage', storage);
    render(<Prompts />);
    await settle();
    expect(persisted).toBe(0);
    window.dispatchEvent(new Event('appinstalled'));
    expect(persisted).toBe(1);
  });
});

describe('a new version', () => {
  const update = vi.fn();
  beforeEach(() => {
    update.mockClear();
    worker.update = update;
  });

  it('is offered at once, and can be postponed', () => {
    const { rerender } = render(<Prompts />);
    fireEvent.click(screen.getByRole('button', { name: 'Update' }));
    expect(update).toHaveBeenCalledOnce();
    fireEvent.click(screen.getByRole('button', { name: 'Later' }));
    rerender(<Prompts />);
    expect(prompt(UPDATE)).toBeNull();
  });

  it('waits for a purchase or a form that blocks it', async () => {
    const release = hold();
    render(<Prompts />);
    expect(prompt(UPDATE)).toBeNull();
    act(release);
    expect(prompt(UPDATE)).not.toBeNull();
  });

  it('waits while a dialog is open', async () => {
    const page = (open: boolean) => (
      <>
        <Dialog open={open} title="Rename" onClose={() => undefined}>
          Something
        </Dialog>
        <Prompts />
      </>
    );
    const { rerender } = render(page(true));
    await settle();
    expect(prompt(UPDATE)).toBeNull();
    rerender(page(false));
    await waitFor(() => expect(prompt(UPDATE)).not.toBeNull());
  });

  it('waits for a form that the user has started, even without the focus', async () => {
    const { rerender } = render(
      <>
        <form>
          <input aria-label="Message" defaultValue="" />
        </form>
        <Prompts />
      </>,
    );
    expect(prompt(UPDATE)).not.toBeNull();
    const box = screen.getByRole<HTMLInputElement>('textbox');
    box.focus();
    fireEvent.input(box, { target: { value: 'Hello' } });
    await waitFor(() => expect(prompt(UPDATE)).toBeNull());
    box.blur();
    await settle();
    expect(prompt(UPDATE)).toBeNull();
    rerender(<Prompts />);
    await waitFor(() => expect(prompt(UPDATE)).not.toBeNull());
  });

  it('does not interrupt typing', async () => {
    render(
      <>
        <input type="search" aria-label="Search" />
        <Prompts />
      </>,
    );
    const box = screen.getByRole<HTMLInputElement>('searchbox');
    box.focus();
    fireEvent.input(box, { target: { value: 'bit' } });
    await waitFor(() => expect(prompt(UPDATE)).toBeNull());
    box.blur();
    await waitFor(() => expect(prompt(UPDATE)).not.toBeNull());
  });
});

describe('the menu of rows', () => {
  const HINT = 'Set an alert from the list';
  const openCoins = (count: number) => {
    for (let id = 1; id <= count; id++) {
      act(() => history.push(`/crypto/details/${id}`));
      act(() => history.push('/crypto'));
    }
  };

  it('is shown once on a device, on the market, to a user who has opened three coins', () => {
    render(<Prompts />);
    openCoins(2);
    expect(prompt(HINT)).toBeNull();
    openCoins(1);
    expect(prompt(HINT)?.textContent).toContain('a coin in a list to open its menu');
    act(() => history.push('/home'));
    expect(prompt(HINT)).toBeNull();
    act(() => history.push('/crypto'));
    fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
    expect(prompt(HINT)).toBeNull();
    cleanup();
    render(<Prompts />);
    openCoins(3);
    expect(prompt(HINT)).toBeNull();
  });

  it('waits for three more coins after another prompt', () => {
    render(<Prompts />);
    openCoins(3);
    expect(prompt(HINT)).not.toBeNull();
    act(() => reportAnswer(userId));
    expect(prompt(OFFER)).not.toBeNull();
    expect(prompt(HINT)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'No, thanks' }));
    openCoins(2);
    expect(prompt(HINT)).toBeNull();
    openCoins(1);
    expect(prompt(HINT)).not.toBeNull();
  });

  it('leaves where the device remembers nothing, and with the session', async () => {
    render(<Prompts />);
    openCoins(3);
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Got it' }));
    expect(prompt(HINT)).toBeNull();
    openCoins(3);
    expect(prompt(HINT)).toBeNull();
    vi.unstubAllGlobals();
    act(() => rowMenuKnown.set(false));
    expect(prompt(HINT)).not.toBeNull();
    await act(() => endSession());
    expect(prompt(HINT)).toBeNull();
  });

  it('is not shown to a user who has opened one', () => {
    render(
      <>
        <Prompts />
        <AlertHost />
        <ul>
          <li>
            <a href="/crypto/details/1">Bitcoin</a>
          </li>
        </ul>
      </>,
    );
    fireEvent.contextMenu(screen.getByText('Bitcoin'));
    openCoins(3);
    expect(prompt(HINT)).toBeNull();
  });
});
