import { history } from '#client/platform/router/history.ts';
import type { PricingAnchor } from '#domain/plans/pricing.ts';

/** History state of the pricing page, which survives a reload. */
interface PricingEntry {
  /** A button of the page led here, so the history entry below is the page without an anchor. */
  pushed?: boolean;
  /** The app shell has received the request. */
  asked?: boolean;
}

const PATH = '/pricing';
const entry = (): PricingEntry => (history.location.state as PricingEntry | undefined) ?? {};
let isLeaving = false;

/** Opens an anchor. A second press of the same button does nothing. */
export function goToAnchor(anchor: PricingAnchor): void {
  const { hash } = history.location;
  if (hash === anchor) return;
  if (hash) history.replace(PATH + anchor, { pushed: entry().pushed });
  else history.push(PATH + anchor, { pushed: true });
}

/** Returns to the page without an anchor. */
export function leaveAnchor(): void {
  if (!history.location.hash || isLeaving) return;
  if (!entry().pushed) {
    history.replace(PATH);
    return;
  }
  // The address changes later, so a second call until then must not go back twice.
  isLeaving = true;
  const left = () => {
    isLeaving = false;
  };
  window.addEventListener('popstate', left, { once: true });
  window.history.back();
}

/** Returns true once per history entry, so that a reload does not send the request again. */
export function claimShellRequest(): boolean {
  const { hash } = history.location;
  const { pushed, asked } = entry();
  if (!hash || asked) return false;
  history.replace(PATH + hash, { pushed, asked: true });
  return true;
}

/** Allows the same request to be sent to the app shell again. */
export const askShellAgain = (): void => history.replace(PATH + history.location.hash, { pushed: entry().pushed });
