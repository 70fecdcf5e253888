/** Saves a file to the user's downloads. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.setAttribute('data-native', ''); // otherwise the router opens it as a page
  link.click();
  // Safari reads the URL after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
