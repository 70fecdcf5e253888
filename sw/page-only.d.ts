/** Code that page and worker share is checked with the types of both. This much of it only a page has: it asks first. */
interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}
declare var sessionStorage: Storage;
