import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardFirstScreen } from '#client/platform/first-screen/guard-first-screen.ts';
import { takeOver } from '#client/platform/first-screen/take-over.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const screen = () => document.getElementById('first-screen');
const root = () => document.getElementById('root') as HTMLElement;

const box = Element.prototype.getBoundingClientRect;
beforeEach(() => {
  // happy-dom has no layout: every element is in view.
  Element.prototype.getBoundingClientRect = () => ({ top: 1, bottom: 2, width: 3 }) as DOMRect;
  document.body.innerHTML = `<div id="first-screen" data-session="session-1"><a href="/home">Home</a><a href="/home">Home</a>
    <button>Logout</button><section class="pane"></section></div><div id="root"></div>`;
});
afterEach(async () => {
  Element.prototype.getBoundingClientRect = box;
  vi.useRealTimers();
  await endSession();
});

const PAGE = '<a href="/home">Home</a><a href="/home">Home</a><button>Logout</button><section class="pane"></section>';

test('the screen stays while the app is empty or loading, and goes with the content', async () => {
  takeOver(root(), async () => {});
  root().innerHTML = `<span data-skeleton=""></span>`;
  await Promise.resolve();
  expect(screen()).not.toBeNull();
  root().innerHTML = PAGE;
  await vi.waitFor(() => expect(screen()).toBeNull());
});

/** Adds a picture to the stored screen. */
const addPicture = () => screen()?.append(document.createElement('img'));

test('the pictures of the screen are awaited for a moment only', async () => {
  vi.useFakeTimers();
  addPicture();
  takeOver(root(), async () => {});
  root().innerHTML = `${PAGE}<img data-loaded="false">`;
  await vi.advanceTimersByTimeAsync(100);
  expect(screen()).not.toBeNull();
  await vi.advanceTimersByTimeAsync(300);
  expect(screen()).toBeNull();
});

test('the pictures behind those of the screen are not awaited, and the browser lays nothing out for them', async () => {
  const asked = vi.fn(() => ({ top: 1, bottom: 2, width: 3 }) as DOMRect);
  Element.prototype.getBoundingClientRect = asked;
  addPicture();
  takeOver(root(), async () => {});
  root().innerHTML = `${PAGE}<img data-loaded="true"><img data-loaded="false">`;
  await vi.waitFor(() => expect(screen()).toBeNull());
  expect(asked).not.toHaveBeenCalled();
});

test('the font is awaited for a moment only', async () => {
  vi.useFakeTimers();
  takeOver(root(), () => new Promise(() => {}));
  root().innerHTML = PAGE;
  await vi.advanceTimersByTimeAsync(100);
  expect(screen()).not.toBeNull();
  await vi.advanceTimersByTimeAsync(300);
  expect(screen()).toBeNull();
});

test('an app that never has its content takes over after a limit', async () => {
  vi.useFakeTimers();
  takeOver(root(), async () => {});
  root().innerHTML = '<span data-skeleton=""></span>';
  await vi.advanceTimersByTimeAsync(4_000);
  expect(screen()).toBeNull();
});

test('focus, scroll position and the last tap pass to the app', async () => {
  screen()?.querySelectorAll('a')[1]?.focus();
  screen()?.querySelector('button')?.setAttribute('data-tapped', '');
  Object.assign(screen()?.querySelector('section') as HTMLElement, { scrollTop: 40 });
  const tapped = vi.fn();
  takeOver(root(), async () => {});
  root().addEventListener('click', ({ target }) => tapped((target as Element).textContent));
  root().innerHTML = PAGE;
  await vi.waitFor(() => expect(screen()).toBeNull());
  expect(document.activeElement).toBe(root().querySelectorAll('a')[1]);
  expect(root().querySelector('section')?.scrollTop).toBe(40);
  expect(tapped.mock.calls).toEqual([['Logout']]);
});

test('what the user scrolls until the swap stays where it is, and nothing else is asked how far it is scrolled', async () => {
  takeOver(root(), async () => {});
  const pane = screen()?.querySelector('section') as HTMLElement;
  const link = screen()?.querySelector('a') as HTMLElement;
  pane.scrollTop = 40;
  pane.dispatchEvent(new Event('scroll'));
  const asked = vi.fn(() => 0);
  Object.defineProperty(link, 'scrollTop', { get: asked });
  root().innerHTML = PAGE;
  await vi.waitFor(() => expect(screen()).toBeNull());
  expect(root().querySelector('section')?.scrollTop).toBe(40);
  expect(asked).not.toHaveBeenCalled();
});

const message = (id: number, buttons = ['Edit message', 'Good answer']) =>
  `<li data-id="${id}">${buttons.map((label) => `<button aria-label="${label}"></button>`).join('')}</li>`;
const chat = (...messages: string[]) => `<section data-opens="end"><ol>${messages.join('')}</ol></section>`;

test.each([
  ['has only the last message', chat(message(3)), chat(message(1), message(2), message(3)), 3],
  ['was stored before the last answer', chat(message(2), message(3, [])), chat(message(1), message(2), message(3)), 2],
  ['has an earlier message', chat(message(1)), chat(message(1), message(2), message(3)), 1],
])('in a chat whose screen %s, focus and tap reach the same message', async (_name, drawn, live, id) => {
  Object.assign(screen() as HTMLElement, { innerHTML: drawn });
  screen()?.querySelector<HTMLElement>('[aria-label="Edit message"]')?.focus();
  screen()?.querySelector('[aria-label="Good answer"]')?.setAttribute('data-tapped', '');
  const tapped: unknown[] = [];
  takeOver(root(), async () => {});
  root().addEventListener('click', ({ target }) => tapped.push(target));
  root().innerHTML = live;
  await vi.waitFor(() => expect(screen()).toBeNull());
  const button = (label: string) => root().querySelector(`[data-id="${id}"] [aria-label="${label}"]`);
  expect(document.activeElement).toBe(button('Edit message'));
  expect(tapped).toEqual([button('Good answer')]);
});

const MENU = '<button aria-label="Menu"></button>';
const SAME = '<button aria-label="Menu" id="same"></button>';

test.each([
  ['in a list whose start is on the screen', MENU + MENU, MENU + SAME + MENU + MENU, 1],
  ['in a message whose end is on the screen', chat(message(1, ['Menu'])), chat(`<li data-id="1">${MENU}${SAME}</li>`), 0],
  ['below a chat', chat(message(2, ['Menu'])) + MENU, chat(message(1, ['Menu']), message(2, ['Menu'])) + SAME + MENU, 1],
])('a tap on a control %s, reaches the same one', async (_name, drawn, live, place) => {
  Object.assign(screen() as HTMLElement, { innerHTML: drawn });
  screen()?.querySelectorAll('button')[place]?.setAttribute('data-tapped', '');
  const tapped = vi.fn();
  takeOver(root(), async () => {});
  root().addEventListener('click', ({ target }) => tapped((target as Element).id));
  root().innerHTML = live;
  await vi.waitFor(() => expect(screen()).toBeNull());
  expect(tapped.mock.calls).toEqual([['same']]);
});

test('a tap on a message that the app does not have is dropped', async () => {
  Object.assign(screen() as HTMLElement, { innerHTML: chat(message(1)) });
  screen()?.querySelector('button')?.setAttribute('data-tapped', '');
  const tapped = vi.fn();
  root().addEventListener('click', tapped);
  takeOver(root(), async () => {});
  root().innerHTML = chat(message(2));
  await vi.waitFor(() => expect(screen()).toBeNull());
  expect(tapped).not.toHaveBeenCalled();
});

const toggle = (isOn: boolean) => `<label>Hide<input type="checkbox"${isOn ? ' checked' : ''}></label>`;

test.each([
  ['a switch that two taps have left as it was', toggle(false), toggle(false), false],
  ['a switch that was stored before it was set', toggle(true), toggle(true), false],
  ['a switch that the tap has set', toggle(true), toggle(false), true],
])('%s: the app gets the state that the screen shows', async (_name, drawn, live, isTapped) => {
  Object.assign(screen() as HTMLElement, { innerHTML: drawn });
  screen()?.querySelector('label')?.setAttribute('data-tapped', '');
  takeOver(root(), async () => {});
  const tapped = vi.fn();
  root().addEventListener('click', tapped);
  root().innerHTML = live;
  await vi.waitFor(() => expect(screen()).toBeNull());
  expect(tapped.mock.calls.length > 0).toBe(isTapped);
});

test.each(['with its content', 'after the limit'])('a press ends on the screen on which it began: the app waits, %s', async (moment) => {
  vi.useFakeTimers();
  screen()?.setAttribute('data-pressed', '');
  const tapped = vi.fn();
  takeOver(root(), async () => {});
  root().addEventListener('click', ({ target }) => tapped((target as Element).textContent));
  root().innerHTML = moment === 'with its content' ? PAGE : `${PAGE}<span data-skeleton=""></span>`;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(screen()).not.toBeNull();
  screen()?.querySelector('button')?.setAttribute('data-tapped', '');
  screen()?.removeAttribute('data-pressed');
  await vi.advanceTimersByTimeAsync(0);
  expect(screen()).toBeNull();
  expect(tapped.mock.calls).toEqual([['Logout']]);
});

test('a tap on a button that the app does not have is dropped', async () => {
  screen()?.querySelector('button')?.setAttribute('data-tapped', '');
  const tapped = vi.fn();
  root().addEventListener('click', tapped);
  takeOver(root(), async () => {});
  root().innerHTML = '<button>Log In</button>';
  await vi.waitFor(() => expect(screen()).toBeNull());
  expect(tapped).not.toHaveBeenCalled();
});

test('the screen of a session stays until that session ends', async () => {
  await signIn(makeTokens(), true);
  guardFirstScreen();
  expect(screen()).not.toBeNull();
  await endSession();
  expect(screen()).toBeNull();
});

test.each([
  ['signed out', async () => {}],
  ['of another session', () => signIn(makeTokens(), true).then(() => screen()?.setAttribute('data-session', 'other'))],
])('the screen of a device that is %s goes at once', async (_name, arrange) => {
  await arrange();
  guardFirstScreen();
  expect(screen()).toBeNull();
});
