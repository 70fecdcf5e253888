import inter from './inter.css?url';

let loading: Promise<void> | undefined;

/** Adds Inter, once, and resolves when it has loaded, so that no text moves later. It is no part of the app's stylesheet, which loads first. */
export function loadInter(): Promise<void> {
  loading ??= addInter().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function addInter(): Promise<void> {
  await addStyles(inter);
  await document.fonts.load('1em "Inter Variable"');
}

function addStyles(href: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error('the font could not be loaded'));
    };
    document.head.append(link);
  });
}
