import { decodeInTurn } from '#server/pictures/decode-turn.ts';
import { openPicture, refuseBroken } from '#server/pictures/open-picture.ts';
import { explainRefusal } from '#server/pictures/refusal.ts';

/** Pixels of the longer side, as the app scales to before it sends. */
const LONGEST = 2000;
const PREVIEW = 480;
/** Above this, bytes, a picture without loss is no drawing, and loses nothing that matters as a JPEG. */
const MAX_LOSSLESS = 3 * 1024 * 1024;

const explain = explainRefusal({ subject: 'The image', types: 'a PNG, JPEG or GIF', field: 'image', code: 'image' });

/** A picture that was read and written anew, so that nothing of the file it came in is left. */
export interface RedrawnImage {
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
  /** A small WebP. */
  preview: Buffer;
  width: number;
  height: number;
}

/**
 * Reads the file of a PNG, JPEG or GIF (its first frame), by what it is and not by what it is called, and writes it anew: upright,
 * without metadata, without loss where it came so. Throws 400 for what is none of these, too large or broken.
 */
export const redrawImage = (userId: string, file: string): Promise<RedrawnImage> => decodeInTurn(userId, () => redraw(file)).catch(explain);

async function redraw(file: string): Promise<RedrawnImage> {
  const { type, image } = await openPicture(file, ['png', 'jpeg', 'gif']);
  const drawn = image.resize(LONGEST, LONGEST, { fit: 'inside', withoutEnlargement: true });
  // Thin coloured lines are what a chart is made of: no chroma is left out.
  const jpeg = () => drawn.clone().flatten({ background: 'white' }).jpeg({ quality: 90, chromaSubsampling: '4:4:4' });
  const png = type === 'jpeg' ? undefined : await drawn.clone().png().toBuffer({ resolveWithObject: true }).catch(refuseBroken);
  const lossless = png && png.data.length <= MAX_LOSSLESS ? png : undefined;
  const { data, info } = lossless ?? (await jpeg().toBuffer({ resolveWithObject: true }).catch(refuseBroken));
  const { image: again } = await openPicture(data, ['png', 'jpeg']);
  const preview = await again.resize(PREVIEW, PREVIEW, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 80 }).toBuffer();
  return { type: lossless ? 'image/png' : 'image/jpeg', bytes: data, preview, width: info.width, height: info.height };
}
