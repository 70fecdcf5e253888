import { MAX_RASTER_PIXELS, type Picture } from '#domain/chart-reading/pixels/picture.ts';
import { openPicture, refuseBroken } from './open-picture.ts';

/** Decodes a PNG, JPEG or GIF (first frame) to upright pixels and shrinks large pictures. Throws PictureRefused. */
export async function decodePicture(file: Uint8Array): Promise<Picture> {
  const { image, width, height } = await openPicture(file, ['png', 'jpeg', 'gif']);
  const reduced = Math.max(1, Math.ceil(Math.sqrt((width * height) / MAX_RASTER_PIXELS)));
  // The square of the longer side also fits a rotated picture; `inside` keeps the proportions.
  const side = Math.ceil(Math.max(width, height) / reduced);
  const { data, info } = await image
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(refuseBroken);
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.length);
  return { width: info.width, height: info.height, data: pixels, reduced: Math.max(width, height) / Math.max(info.width, info.height) };
}
