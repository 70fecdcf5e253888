import { history } from '#client/platform/router/history.ts';
import type { PricingAnchor } from '#domain/plans/pricing.ts';

/** What an entry of the pricing page remembers, over a reload too. */
interface PricingEntry {
  /** One of our buttons led here, so that the plain page lies below. */
  pushed?: boolean;
  /** The shell has been asked. */
  asked?: boolean;
}

const PATH = '/pricing';
const entry = (): PricingEntry => (history.location.state as PricingEntry | undefined) ?? {};
let isLeaving = false;

/** Asks for what an anchor means. Pressed twice, it is asked once. */
export function goToAnchor(anchor: PricingAnchor): void {
  const { hash } = history.location;
  if (hash === anchor) return;
  if (hash) history.replace(PATH + anchor, { pushed: entry().pushed });
  else history.push(PATH + anchor, { pushed: true });
}

/** Back to the plain page, whatever the anchor asked for. */
export function leaveAnchor(): void {
  if (!history.location.hash || isLeaving) return;
  if (!entry().pushed) {
    history.replace(PATH);
    return;
  }
  // The address changes a moment later: asked twice meanwhile, it goes back once.
  isLeaving = true;
  const left = () => {
    isLeaving = false;
  };
  window.addEventListener('popstate', left, { once: true });
  window.history.back();
}

/** True once for each entry: a reload does not ask the shell again. */
export function claimShellRequest(): boolean {
  const { hash } = history.location;
  const { pushed, asked } = entry();
  if (!hash || asked) return false;
  history.replace(PATH + hash, { pushed, asked: true });
  return true;
}

/** The shell may be asked again for the same. */
export const askShellAgain = (): void => history.replace(PATH + history.location.hash, { pushed: entry().pushed });
