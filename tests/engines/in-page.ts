// These functions run in the page, so they must not use anything from outside of their bodies.

/** Fills the fields with these labels like a user does, and presses the button. */
export function fill(values: Record<string, string>, button: string) {
  for (const [name, value] of Object.entries(values)) {
    const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === name);
    const field = label?.control as HTMLInputElement | HTMLTextAreaElement;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const buttons = [...document.querySelectorAll('button')];
  buttons.findLast(({ textContent }) => textContent === button)?.click();
}

/** Types one value into each field of the selector, in the order of the page. */
export function type(selector: string, values: string[]) {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(selector);
  for (const [index, value] of values.entries()) {
    const field = fields[index];
    if (!field) throw new Error(`no field ${index} of ${selector}`);
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Attaches three copies of a PNG, given in base64. */
export function attach(picture: string) {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const chosen = new DataTransfer();
  for (const name of ['one.png', 'two.png', 'three.png']) chosen.items.add(new File([bytes], name, { type: 'image/png' }));
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no file field');
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Keeps typing, so that leaving the page has a draft to store. */
export function keepTyping() {
  const field = document.querySelector('textarea');
  if (!field) throw new Error('no field');
  setInterval(() => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, `${field.value}.`);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, 20);
}

/** Presses the last button, link or checkbox with this text or label. */
export function press(name: string) {
  const all = [...document.querySelectorAll<HTMLElement>('button, a, input[type=checkbox]')];
  const target = all.findLast((each) => each.textContent?.trim() === name || each.getAttribute('aria-label') === name);
  if (!target) throw new Error(`nothing to press is named ${name}`);
  target.click();
}

/** Fails the page's uploads, which report progress and so use XMLHttpRequest. The worker uses fetch. */
export function failUploads() {
  XMLHttpRequest.prototype.send = function () {
    queueMicrotask(() => this.dispatchEvent(new ProgressEvent('error')));
  };
}

/** Fires the event after which the page asks the worker to send. */
export const reportOnline = () => void dispatchEvent(new Event('online'));

export const click = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
export const count = (selector: string) => document.querySelectorAll(selector).length;
export const pathname = () => location.pathname;
export const words = () => document.body.innerText;
export const isServedByWorker = () => navigator.serviceWorker.controller !== null;
export const hasBackgroundSync = () => 'sync' in ServiceWorkerRegistration.prototype;
export const closeOnboarding = () => localStorage.setItem('onboarding-close', 'true');
export const userDatabases = async () =>
  (await indexedDB.databases()).map(({ name }) => name).filter((name) => name?.startsWith('tidemark-user-'));

/** Returns the state of each message to support, newest first. */
export const messageStates = () =>
  [...document.querySelectorAll('article')].map((row) => row.querySelector('header > :last-child')?.textContent ?? '');
