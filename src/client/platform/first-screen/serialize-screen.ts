import { isCoinImage } from '#contract/market/coin-images.ts';

/** Elements that a stored screen may have. Everything else is left out with its content. */
const ELEMENTS = new Set(
  `a article aside b bdi blockquote br button code dd del details div dl dt em fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
   header hr i img input label legend li main mark nav ol p pre s section small span strong sub summary sup table tbody td textarea tfoot
   th thead time tr u ul svg g path circle ellipse line polyline polygon rect`.split(/\s+/),
);
const VOID = new Set(['br', 'hr', 'img', 'input']);
/** Text of these is what the user typed. */
const TYPED = new Set(['textarea']);

const TOKEN = /^[\w-]{1,40}$/;
const TOKENS = /^[\w\s-]*$/;
const DRAWING = /^(?!.*url)[\w\s,.#%()+-]*$/i;
const NUMBER = /^-?\d{1,16}(\.\d{1,4})?$/;
const TEXT = /[\s\S]*/;

type Allowed = Record<string, RegExp>;
const allow = (value: RegExp, names: string): Allowed => Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));

/** Attributes of every element, with what their values must match. No ids: the live page has the same. */
const COMMON: Allowed = {
  ...allow(TOKENS, 'class role lang dir tabindex hidden'),
  ...allow(TOKEN, 'aria-busy aria-checked aria-current aria-disabled aria-expanded aria-haspopup aria-hidden aria-level aria-pressed'),
  ...allow(TOKEN, 'aria-selected'),
  ...allow(TEXT, 'aria-label aria-description'),
  // What the stylesheets select by.
  ...allow(
    TOKEN,
    'data-actor data-align data-current data-depth data-kind data-late data-loaded data-met data-native data-opens data-room data-set',
  ),
  ...allow(TOKEN, 'data-state data-tabs data-tone data-way'),
  'data-saved-at': NUMBER,
  // What the take-over finds messages by.
  'data-id': TOKEN,
};

const SVG = allow(
  DRAWING,
  `viewBox width height fill fill-opacity fill-rule clip-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-opacity opacity
   d cx cy r rx ry x y x1 y1 x2 y2 points transform`,
);

const OWN: Record<string, Allowed> = {
  img: { ...allow(NUMBER, 'width height'), ...allow(TOKEN, 'loading decoding crossorigin referrerpolicy'), alt: TEXT },
  button: allow(TOKENS, 'type disabled'),
  input: { ...allow(TOKENS, 'type disabled'), placeholder: TEXT },
  textarea: { rows: NUMBER, placeholder: TEXT },
  time: { datetime: /^[\w:.+-]{1,40}$/ },
  ol: { start: NUMBER },
  td: allow(NUMBER, 'colspan rowspan'),
  th: { ...allow(NUMBER, 'colspan rowspan'), scope: TOKEN },
  details: { open: TOKENS },
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
const attribute = (name: string, value: string) => ` ${name}="${escaped(value)}"`;

/**
 * Writes an element of the page as HTML that shows the same and does nothing: no scripts, handlers, inline styles, ids,
 * typed text or private parts. Links stay. `isLeftOut` skips an element with its content.
 */
export function serializeScreen(element: Element, isLeftOut: (element: Element) => boolean): string {
  const name = element.localName;
  if (!ELEMENTS.has(name) || isPrivate(element) || isLeftOut(element)) return '';
  if (name === 'img' && imageSource(element) === undefined) return '';
  // A form would submit: its fields have no handler yet.
  const tag = name === 'form' ? 'div' : name;
  const open = `<${tag}${attributes(element, name)}>`;
  if (VOID.has(name)) return open;
  return `${open}${content(element, name, isLeftOut)}</${tag}>`;
}

const isPrivate = (element: Element) =>
  element.hasAttribute('data-private') || (element.hasAttribute('contenteditable') && element.getAttribute('contenteditable') !== 'false');

function content(element: Element, name: string, isLeftOut: (element: Element) => boolean): string {
  // Announcements belong to the visit that made them.
  if (TYPED.has(name) || element.getAttribute('role') === 'status') return '';
  let html = '';
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) html += escaped(child.nodeValue ?? '');
    else if (child.nodeType === Node.ELEMENT_NODE) html += serializeScreen(child as Element, isLeftOut);
  }
  return html;
}

function attributes(element: Element, name: string): string {
  const isDrawing = element.namespaceURI === 'http://www.w3.org/2000/svg';
  const own = isDrawing ? SVG : OWN[name];
  let html = '';
  for (const { name: key, value } of element.attributes) {
    const rule = own?.[key] ?? COMMON[key];
    if (rule?.test(value)) html += attribute(key, value);
  }
  if (name === 'a') html += link(element);
  if (name === 'img') html += attribute('src', imageSource(element) ?? '');
  if (name === 'input' || name === 'textarea') html += field(element);
  return html + iconVariables(element);
}

/** Links to this app and to the web; nothing that runs. */
function link(element: Element): string {
  const href = element.getAttribute('href');
  if (href === null || !URL.canParse(href, location.href)) return '';
  const { protocol, origin } = new URL(href, location.href);
  if (protocol !== 'https:' && protocol !== 'http:') return '';
  if (origin === location.origin) return attribute('href', href);
  return `${attribute('href', href)} target="_blank" rel="noopener noreferrer"`;
}

/** Only public pictures of coins. Private pictures are in memory, and gone with the page. */
function imageSource(element: Element): string | undefined {
  const src = element.getAttribute('src');
  if (!src || !URL.canParse(src, location.href)) return undefined;
  return isCoinImage(new URL(src, location.href), location.origin) ? src : undefined;
}

/** Fields are read-only until React has taken over. Radios and switches show their state; no field has a value. */
function field(element: Element): string {
  const type = element.getAttribute('type');
  const isMark = type === 'radio' || type === 'checkbox';
  if (!isMark) return ' readonly';
  return (element as HTMLInputElement).checked ? ' checked' : '';
}

/** The variables of a coin's icon. The content policy forbids style attributes, so first-screen-script sets them. */
function iconVariables(element: Element): string {
  const { style } = element as HTMLElement;
  const size = style?.getPropertyValue('--size').replace('px', '');
  const hue = style?.getPropertyValue('--hue');
  return size && hue && NUMBER.test(size) && NUMBER.test(hue) ? `${attribute('data-size', size)}${attribute('data-hue', hue)}` : '';
}
