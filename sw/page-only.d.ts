/** Types for code that page and worker share. Only a page has these storages; the code checks for them. */
interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}
declare var sessionStorage: Storage;
declare var localStorage: Storage;
