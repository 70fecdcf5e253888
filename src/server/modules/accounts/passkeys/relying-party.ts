import { PRODUCT } from '#domain/product.ts';

/** Whom passkeys are made for (WebAuthn's relying party). */
export interface RelyingParty {
  /** The host of PUBLIC_URL: passkeys work there and on its subdomains only. */
  id: string;
  name: string;
  origin: string;
}

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, name: PRODUCT, origin };
}
