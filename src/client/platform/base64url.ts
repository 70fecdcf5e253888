/** Returns the bytes of base64url text. Throws for anything else. */
export const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
