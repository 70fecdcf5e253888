/** Side length in pixels; the server stores no more. */
const SIDE = 512;
const JPEG_QUALITY = 0.9;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];

/** The photo cannot be used. The message is shown to the user. */
export class PhotoProblem extends Error {}

/**
 * Crops a photo to its middle square and scales it to at most 512 px, to keep the upload small. Checks the type by the
 * file's first bytes, not by its name. Throws PhotoProblem.
 */
export async function preparePhoto(file: Blob): Promise<Blob> {
  const head = new Uint8Array(await file.slice(0, PNG.length).arrayBuffer());
  const isPng = PNG.every((byte, index) => head[index] === byte);
  if (!isPng && !JPEG.every((byte, index) => head[index] === byte)) throw new PhotoProblem('The photo must be a PNG or JPEG image.');

  const photo = await createImageBitmap(file).catch(unreadable);
  const edge = Math.min(photo.width, photo.height);
  const side = Math.min(edge, SIDE);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) return unreadable();
  context.imageSmoothingQuality = 'high';
  context.drawImage(photo, (photo.width - edge) / 2, (photo.height - edge) / 2, edge, edge, 0, 0, side, side);
  photo.close();
  const small = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, isPng ? 'image/png' : 'image/jpeg', JPEG_QUALITY));
  return small ?? unreadable();
}

function unreadable(): never {
  throw new PhotoProblem('The photo cannot be read.');
}
