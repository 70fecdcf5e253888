import { type ProductId, type PurchaseMessage, purchaseMessage } from '#contract/subscription.ts';
import type { PricingAnchor } from '#domain/plans/pricing.ts';

/** What the native app puts on the page it shows (docs/integration-shell.md). */
interface Shell {
  postMessage(message: string): void;
}

declare global {
  interface Window {
    ReactNativeWebView?: Shell;
  }
}

/** What the shell is asked for. `productId` is null where the store's own settings are meant. */
interface ShellRequest {
  type: 'purchase-request';
  anchor: PricingAnchor;
  productId: ProductId | null;
  appUserId: string;
}

export const hasShell = (): boolean => typeof window.ReactNativeWebView?.postMessage === 'function';

export const askShell = (request: ShellRequest): void => window.ReactNativeWebView?.postMessage(JSON.stringify(request));

/** A browser gives every frame an origin; none at all has only what the shell's bridge dispatches in this very page. */
const isTrusted = ({ origin, source }: MessageEvent) =>
  origin === window.location.origin || (origin === '' && source === null && hasShell());

function parse(data: unknown): PurchaseMessage | undefined {
  try {
    const parsed = purchaseMessage.safeParse(typeof data === 'string' ? JSON.parse(data) : data);
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // not JSON: somebody else's message
  }
}

/** Calls `listener` with each purchase that the shell, or the test store in its place, tells of. Returns how to stop. */
export function onPurchase(listener: (message: PurchaseMessage) => void): () => void {
  const hear = (event: MessageEvent) => {
    const message = isTrusted(event) ? parse(event.data) : undefined;
    if (message) listener(message);
  };
  window.addEventListener('message', hear);
  return () => window.removeEventListener('message', hear);
}

/** The test store speaks as the shell does. */
export const announcePurchase = (message: PurchaseMessage): void => window.postMessage(message, window.location.origin);
