import { type ScaledPicture, scalePicture } from './picture-scale.ts';

/** Worker result: progress, the picture, or the reason for a failure. */
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
