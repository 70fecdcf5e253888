import { call } from '#client/platform/api/call.ts';
import { clearScreens } from '#client/platform/first-screen/stored-screens.ts';
import { DISPLAY_CURRENCY } from '#client/platform/flags.ts';
import { isFree, onFreedom } from '#client/platform/pwa/busy.ts';
import { currencyRatesAnswer, type DisplayCurrency } from '#contract/market/rates.ts';
import { DAY } from '#domain/clock.ts';
import { showMoney } from './money.ts';
import { chosenCode, createMoney, keepCode, keepRates, keptRates } from './other-money.ts';

async function fetchRates() {
  const { data } = await call('/coin-market/rates', { answer: currencyRatesAnswer });
  keepRates(data);
  return data;
}

/**
 * Shows market figures in a currency on this device, USD for undefined, by the rates that the device has. Returns false, and changes
 * nothing, if no usable rate is known. Throws what `call` throws.
 */
export async function chooseMoney(code: DisplayCurrency | undefined): Promise<boolean> {
  const kept = keptRates();
  const money = code && ((kept && createMoney(code, kept)) ?? createMoney(code, await fetchRates()));
  if (code && !money) return false;
  keepCode(code);
  showMoney(money);
  // They show the other currency.
  await clearScreens().catch((error) => console.error('deleting first screens failed', error));
  return true;
}

/** Fetches rates that are older than a day, for the next start: figures of one page never have two rates. */
export async function refreshRates(now = Date.now()): Promise<void> {
  const kept = keptRates();
  const age = kept ? now - Date.parse(kept.date) : Number.POSITIVE_INFINITY;
  if (age < DAY && age >= 0) return;
  await fetchRates().catch(() => undefined); // the next start retries
}

/** Keeps the display currency of other tabs, and its rate, up to date. */
export function followMoney(): void {
  addEventListener('storage', ({ key }) => {
    if (key === DISPLAY_CURRENCY) reloadWhenFree();
  });
  if (chosenCode()) void refreshRates();
}

/** Reloads the page, because every figure changes; one with a form or dialog in progress, after that. */
function reloadWhenFree(): void {
  let stop = () => {};
  const reload = () => {
    if (!isFree()) return;
    stop();
    location.reload();
  };
  stop = onFreedom(reload);
  reload();
}
