import { type ProductId, type PurchaseMessage, purchaseMessage } from '#contract/subscription.ts';
import type { PricingAnchor } from '#domain/plans/pricing.ts';

/** The object that the native app adds to the page (docs/integration-shell.md). */
interface Shell {
  postMessage(message: string): void;
}

declare global {
  interface Window {
    ReactNativeWebView?: Shell;
  }
}

/** A request to the app shell. `productId` is null to open the store's subscription settings. */
interface ShellRequest {
  type: 'purchase-request';
  anchor: PricingAnchor;
  productId: ProductId | null;
  appUserId: string;
}

export const hasShell = (): boolean => typeof window.ReactNativeWebView?.postMessage === 'function';

export const askShell = (request: ShellRequest): void => window.ReactNativeWebView?.postMessage(JSON.stringify(request));

/** Messages of frames always have an origin. Only the shell's bridge dispatches one without, in this page. */
const isTrusted = ({ origin, source }: MessageEvent) =>
  origin === window.location.origin || (origin === '' && source === null && hasShell());

function parse(data: unknown): PurchaseMessage | undefined {
  try {
    const parsed = purchaseMessage.safeParse(typeof data === 'string' ? JSON.parse(data) : data);
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // not JSON, so not from the shell
  }
}

/** Calls `listener` with each purchase that the shell or the test store announces. Returns the unsubscribe function. */
export function onPurchase(listener: (message: PurchaseMessage) => void): () => void {
  const hear = (event: MessageEvent) => {
    const message = isTrusted(event) ? parse(event.data) : undefined;
    if (message) listener(message);
  };
  window.addEventListener('message', hear);
  return () => window.removeEventListener('message', hear);
}

/** Announces a purchase of the test store in the same way as the shell. */
export const announcePurchase = (message: PurchaseMessage): void => window.postMessage(message, window.location.origin);
