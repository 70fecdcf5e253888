import { type ScaledPicture, scalePicture } from './picture-scale.ts';

/** What the page is told: how far it is, the picture, or why there is none. */
export type PictureReport = { step: number } | { picture: ScaledPicture } | { failure: 'size' | 'unreadable' };

const report = (message: PictureReport, transfer: Transferable[] = []) => self.postMessage(message, { transfer });

self.onmessage = async ({ data }: MessageEvent<Blob>) => {
  try {
    const picture = await scalePicture(
      data,
      (width, height) => new OffscreenCanvas(width, height),
      (step) => report({ step }),
    );
    report({ picture }, [picture.bytes, picture.preview.bytes]);
  } catch (error) {
    report({ failure: error instanceof RangeError ? 'size' : 'unreadable' });
  }
};
