/**
 * Escapes stray `%` signs. preact-router decodes the address while it renders, and would throw and blank the page on
 * `/crypto/crypto-search?q=100%`. main.tsx imports this file first.
 */
export function decodable(part: string): string {
  try {
    decodeURIComponent(part);
    return part;
  } catch {
    return part.replace(/%/g, '%25');
  }
}

const { pathname, search, hash } = window.location;
const safe = decodable(pathname) + decodable(search) + hash;
if (safe !== pathname + search + hash) window.history.replaceState(window.history.state, '', safe);
