/** Hands the user a file made here. */
export function saveFile(name: string, content: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.setAttribute('data-native', ''); // the router would take it for a page
  link.click();
  // Safari reads it only after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
