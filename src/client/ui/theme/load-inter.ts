import inter from './inter.css?url';

/** Adds Inter and resolves when it has loaded, so that no text moves later. It is no part of the app's stylesheet, which loads first. */
export async function loadInter(): Promise<void> {
  if (!document.querySelector(`link[href="${inter}"]`)) await addStyles(inter);
  await document.fonts.load('1em "Inter Variable"');
}

function addStyles(href: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => reject(new Error('the font could not be loaded'));
    document.head.append(link);
  });
}
