/** One measured input: a tap on an element, or keys. */
export interface Step {
  name: string;
  act: { tap: string; text?: string } | { type: string };
  /** Expression over `isAt` and `shows` that is true once the next screen shows content of its own. */
  next?: string;
  /** A way to the next step, which no table shows. */
  isWay?: true;
}

export const LIST = 'ul[aria-label="Coins"] a[href^="/crypto/details/"]';
const FILTER = 'button[aria-haspopup="dialog"]';
const CHAT_LINK = 'a[href^="/chat/archive/"]';
const tab = (href: string) => `nav[aria-label="Main"] a[href="${href}"]`;
const SEES_LIST = `isAt('/crypto') && shows('${LIST}')`;

const openTab = (from: string, to: string, href: string, content: string): Step => ({
  name: `${from} → ${to}`,
  act: { tap: tab(href) },
  next: `isAt('${href}') && shows('${content}')`,
});
const toCrypto = (from: string) => openTab(from, 'Crypto', '/crypto', LIST);

/** Inputs from the list of coins on, one after the other. */
export const MARKET_STEPS: readonly Step[] = [
  {
    name: 'Crypto → Home',
    act: { tap: tab('/home') },
    next: `isAt('/home') && shows('section[aria-label="At a glance"] a', '$')`,
  },
  toCrypto('Home'),
  openTab('Crypto', 'Archive', '/archive', CHAT_LINK),
  toCrypto('Archive'),
  openTab('Crypto', 'Settings', '/settings/account', 'nav[aria-label="Settings"] a'),
  toCrypto('Settings'),
  { name: 'Open a coin', act: { tap: LIST, text: 'Bitcoin' }, next: `isAt('/crypto/details/') && shows('article', '$')` },
  { name: 'Leave the coin', act: { tap: 'button[aria-label="Back"]' }, next: SEES_LIST },
  {
    name: 'Open the search',
    act: { tap: 'a[href="/crypto/crypto-search"]' },
    next: `isAt('/crypto/crypto-search') && shows('#search-result')`,
  },
  { name: 'Type a search', act: { type: 'ether' } },
  { name: 'Leave the search', act: { tap: 'button[aria-label="Back"]' }, next: SEES_LIST },
  { name: 'Switch the currency', act: { tap: 'fieldset label', text: 'BTC' }, next: `shows('${LIST}', '₿')` },
  { name: 'Switch it back', act: { tap: 'fieldset label', text: 'USD' }, next: `shows('${LIST}', '$')` },
  {
    name: 'Open the periods',
    act: { tap: 'button[aria-haspopup="listbox"]', text: '24hrs' },
    next: `shows('[role="option"]', '30d') || shows('[role="option"]', '1mo')`,
  },
  { name: 'Choose a period', act: { tap: '[role="option"]', text: '1mo' }, next: `!shows('[role="option"]')` },
  // Last: a filter by price makes each currency a list of its own, which the server has to answer.
  { name: 'Open the filter', act: { tap: FILTER }, next: `shows('dialog[open] form')` },
  { name: 'Into its first field', act: { tap: 'dialog[open] input' }, isWay: true },
  { name: 'Type a limit', act: { type: '0' } },
  {
    name: 'Apply the filter',
    act: { tap: 'dialog[open] button[type="submit"]' },
    next: `!shows('dialog[open]') && shows('${FILTER}', '1 set') && ${SEES_LIST}`,
  },
];

const MESSAGE = 'li[data-id] p';

export const CHAT_TITLE = 'A hundred questions';

/** Inputs from the list of conversations on. */
export const CHAT_STEPS: readonly Step[] = [
  { name: 'Open a chat of 100', act: { tap: CHAT_LINK, text: CHAT_TITLE }, next: `isAt('/chat/archive/') && shows('${MESSAGE}')` },
  { name: 'Into its composer', act: { tap: 'textarea' }, isWay: true },
  { name: 'Type a question', act: { type: 'How is Bitcoin' } },
  { name: 'Send it', act: { tap: 'button[aria-label="Send"]' }, next: `shows('${MESSAGE}', 'How is Bitcoin')` },
];
