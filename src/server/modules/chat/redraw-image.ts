import { decodeInTurn } from '#server/pictures/decode-turn.ts';
import { openPicture, refuseBroken } from '#server/pictures/open-picture.ts';
import { explainRefusal } from '#server/pictures/refusal.ts';

/** Pixels of the longer side; the app scales to the same size before it uploads. */
const MAX_SIDE_PX = 2000;
const PREVIEW = 480;
/** Above this size in bytes, a lossless picture is a photo, and JPEG is good enough. */
const MAX_LOSSLESS = 3 * 1024 * 1024;

const explain = explainRefusal({ subject: 'The image', types: 'a PNG, JPEG or GIF', field: 'image', code: 'image' });

/** A re-encoded picture without metadata or other content of the uploaded file. */
export interface RedrawnImage {
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
  /** A small WebP. */
  preview: Buffer;
  width: number;
  height: number;
}

/**
 * Re-encodes a PNG, JPEG or GIF (first frame): upright, without metadata, lossless if the source was. The content decides
 * the type, not the name. Throws 400 for another type, too many pixels or a broken file.
 */
export const redrawImage = (userId: string, file: string): Promise<RedrawnImage> => decodeInTurn(userId, () => redraw(file)).catch(explain);

async function redraw(file: string): Promise<RedrawnImage> {
  const { type, image } = await openPicture(file, ['png', 'jpeg', 'gif']);
  const drawn = image.resize(MAX_SIDE_PX, MAX_SIDE_PX, { fit: 'inside', withoutEnlargement: true });
  // Charts consist of thin colored lines, so chroma is not subsampled.
  const jpeg = () => drawn.clone().flatten({ background: 'white' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
  const png = type === 'jpeg' ? undefined : await drawn.clone().png().toBuffer({ resolveWithObject: true }).catch(refuseBroken);
  const lossless = png && png.data.length <= MAX_LOSSLESS ? png : undefined;
  const { data, info } = lossless ?? (await jpeg().toBuffer({ resolveWithObject: true }).catch(refuseBroken));
  const { image: again } = await openPicture(data, ['png', 'jpeg']);
  const preview = await again.resize(PREVIEW, PREVIEW, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 80 }).toBuffer();
  return { type: lossless ? 'image/png' : 'image/jpeg', bytes: data, preview, width: info.width, height: info.height };
}
