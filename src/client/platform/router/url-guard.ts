/**
 * The first import of main.tsx: preact-router decodes the address while it renders and throws on a stray
 * `%` (`/crypto/crypto-search?q=100%`), which would blank the page.
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
