import type { Page } from '@playwright/test';

interface Shared {
  picture: Buffer;
  text?: string;
  /** Another origin posts from its own page. */
  to?: string;
}

/** Posts a picture to the app's share target, as the system does for another app. Resolves once the navigation has begun. */
export async function sharePicture(page: Page, { picture, text = '', to = '' }: Shared): Promise<void> {
  await page.evaluate(
    ({ base64, text, action }) => {
      const form = Object.assign(document.createElement('form'), { method: 'POST', enctype: 'multipart/form-data', action });
      const file = Object.assign(document.createElement('input'), { type: 'file', name: 'picture' });
      const field = Object.assign(document.createElement('input'), { name: 'text', value: text });
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], 'chart.png', { type: 'image/png' }));
      file.files = transfer.files;
      form.append(file, field);
      document.body.append(form);
      form.submit();
    },
    { base64: picture.toString('base64'), text, action: `${to}/share` },
  );
}

/** Returns the number of shares that wait in the device's inbox. */
export const waitingShares = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const known = (await indexedDB.databases()).some(({ name }) => name === 'tidemark-shared');
    if (!known) return 0;
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('tidemark-shared');
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const counting = opening.result.transaction('shares').objectStore('shares').count();
        counting.onsuccess = () => {
          opening.result.close();
          resolve(counting.result);
        };
      };
    });
  });
