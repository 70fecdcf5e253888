import { CONTACT_FILE_TYPES, MAX_CONTACT_FILES } from '../../../contract/contact';
import { badRequest } from '../../http/errors';
import { MAX_PIXELS, openPicture, PictureRefused, type RefusalReason } from '../../pictures/open-picture';
import type { FileRow } from './store';

const REFUSALS: Record<RefusalReason, string> = {
  type: 'The files must be PNG or JPEG images.',
  pixels: `An image has more than ${MAX_PIXELS / 1_000_000} million pixels.`,
  broken: 'An image cannot be read.',
};

/**
 * Names pictures by what they are, whatever they claim to be. Of their content only the header is looked at: they are
 * stored as they came and shown to nobody but the operator. 400 for anything but PNG and JPEG, and for too many.
 */
export async function readFiles(files: readonly Buffer[]): Promise<Omit<FileRow, 'messageId'>[]> {
  if (files.length > MAX_CONTACT_FILES) throw refused('too_many_files', `At most ${MAX_CONTACT_FILES} images can be sent at once.`);
  const rows: Omit<FileRow, 'messageId'>[] = [];
  for (const bytes of files) {
    const { type } = await openPicture(bytes, ['png', 'jpeg']).catch(explain);
    const [png, jpeg] = CONTACT_FILE_TYPES;
    const place = rows.length + 1;
    rows.push(type === 'png' ? { place, name: `${place}.png`, type: png, bytes } : { place, name: `${place}.jpg`, type: jpeg, bytes });
  }
  return rows;
}

function explain(error: unknown): never {
  throw error instanceof PictureRefused ? refused(`picture_${error.reason}`, REFUSALS[error.reason]) : error;
}

const refused = (code: string, message: string) => badRequest(code, message, { fields: { files: message } });
