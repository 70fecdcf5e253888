/** Hands the user a file made here. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.setAttribute('data-native', ''); // the router would take it for a page
  link.click();
  // Safari reads it only after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
