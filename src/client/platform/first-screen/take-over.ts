import { firstScreen, PRESSED, TAPPED } from './first-screen.ts';
import { isInView, scrolledParts } from './screen-geometry.ts';

/** The longest wait for the app's own content, ms. Then the app shows what it has. */
const CONTENT_LIMIT = 4_000;
/** The longest wait for pictures and font after the content, ms. */
const DETAILS_LIMIT = 300;

const LOADING = '[data-skeleton], [aria-busy="true"]';
const LOADING_PICTURE = '[data-loaded="false"]';

/**
 * Replaces the stored first screen by the app as soon as the app, which the stylesheet hides behind it, shows the same.
 * Scroll position, focus and the last tap on a button pass to the app.
 */
export function takeOver(root: HTMLElement, loadFont: () => Promise<unknown>): void {
  const screen = firstScreen();
  if (!screen) return;
  let details: ReturnType<typeof setTimeout> | undefined;
  let hasFont = false;
  let isDue = false;
  const shows = (selector: string) => [...root.querySelectorAll(selector)].some(isInView);
  const pictures = screen.querySelectorAll('img').length;
  // The first pictures are those of the screen. Places are asked last, because the browser has to lay the app out for them.
  const lacksPicture = () =>
    [...root.querySelectorAll('img')].slice(0, pictures).some((picture) => picture.matches(LOADING_PICTURE) && isInView(picture));

  const check = () => {
    if (!screen.isConnected) return stop();
    if (isDue) return swap();
    if (root.childElementCount === 0 || shows(LOADING)) return;
    if (hasFont && !lacksPicture()) return swap();
    details ??= setTimeout(swap, DETAILS_LIMIT);
  };
  const swap = () => {
    isDue = true;
    // A press that ends on another element than it began on is no click: its end swaps.
    if (screen.hasAttribute(PRESSED)) return;
    stop();
    replaceScreen(screen, root, scrolled);
  };
  const changes = new MutationObserver(check);
  const limit = setTimeout(swap, CONTENT_LIMIT);
  const scrolled = watchScrolled(screen);
  const stop = () => {
    changes.disconnect();
    clearTimeout(limit);
    clearTimeout(details);
  };
  changes.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-loaded', 'aria-busy'] });
  const fontSettled = () => {
    hasFont = true;
    check();
  };
  changes.observe(screen, { attributeFilter: [PRESSED] });
  loadFont().then(fontSettled, fontSettled);
}

/** Returns the scrolled parts of the screen, to which the user may add. To ask each part at the swap would lay out screen and app once more. */
function watchScrolled(screen: HTMLElement): ReadonlySet<Element> {
  const parts = new Set(scrolledParts(screen));
  screen.addEventListener('scroll', ({ target }) => parts.add(target as Element), { capture: true });
  return parts;
}

function replaceScreen(screen: HTMLElement, root: HTMLElement, scrolled: ReadonlySet<Element>): void {
  if (!screen.isConnected) return;
  const { activeElement } = document;
  const focused = activeElement && screen.contains(activeElement) ? counterpart(activeElement, screen, root) : undefined;
  const button = screen.querySelector(`[${TAPPED}]`);
  const tapped = button ? counterpart(button, screen, root) : undefined;
  const moved = [...scrolled].filter((part) => !part.matches('[data-opens="end"]'));
  const positions = moved.map((part) => ({ part: counterpart(part, screen, root), top: part.scrollTop }));
  screen.remove();
  for (const { part, top } of positions) if (part) part.scrollTop = top;
  focused?.focus({ preventScroll: true });
  for (const earlier of root.querySelectorAll(`[${TAPPED}]`)) earlier.removeAttribute(TAPPED);
  // The control of a copy is still loading. It repeats the tap when it takes the copy's place.
  if (tapped?.closest('[inert]')) tapped.setAttribute(TAPPED, '');
  // The app's switch may already be as the taps have left the one of the screen.
  else if (isOn(tapped) === undefined || isOn(tapped) !== isOn(button)) tapped?.click();
}

const isOn = (control: Element | null | undefined) => control?.querySelector<HTMLInputElement>('[type="checkbox"]')?.checked;

/** Returns the element of the app that shows the same: of the same kind, name and message, at the same place among them. */
function counterpart(element: Element, screen: HTMLElement, root: HTMLElement): HTMLElement | undefined {
  const [name, message] = [nameOf(element), messageOf(element)];
  const alike = (within: HTMLElement) =>
    [...within.querySelectorAll<HTMLElement>(element.localName)].filter((each) => nameOf(each) === name && messageOf(each) === message);
  const drawn = alike(screen);
  const place = drawn.indexOf(element as HTMLElement);
  // The screen has the end of a message, if the start is above the view, and the start of anything else.
  return alike(root).at(message ? place - drawn.length : place);
}

/** Returns the id of the message that an element belongs to: the screen of a chat has only its last ones, and may be old. */
const messageOf = (element: Element): string | undefined => element.closest<HTMLElement>('[data-id]')?.dataset.id;

/** A link leads to the same place; a control has the same label; anything else has the same classes. */
const nameOf = (element: Element): string =>
  element.getAttribute('href') ??
  element.getAttribute('aria-label') ??
  element.getAttribute('placeholder') ??
  (element.matches('button, label, summary') ? element.textContent : element.className);
