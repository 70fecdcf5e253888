/** Types for code that page and worker share. Only a page has sessionStorage; the code checks for it. */
interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}
declare var sessionStorage: Storage;
