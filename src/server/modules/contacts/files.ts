import { CONTACT_FILE_TYPES, MAX_CONTACT_FILES } from '../../../contract/contact';
import { badRequest } from '../../http/errors';
import { openPicture } from '../../pictures/open-picture';
import { explainRefusal } from '../../pictures/refusal';
import type { FileRow } from './store';

const explain = explainRefusal({ subject: 'An attached image', types: 'a PNG or JPEG', field: 'files', code: 'picture' });

/**
 * Names pictures by what they are, whatever they claim to be. Of their content only the header is looked at: they are
 * stored as they came and shown to nobody but the operator. 400 for anything but PNG and JPEG, and for too many.
 */
export async function readFiles(files: readonly Buffer[]): Promise<Omit<FileRow, 'messageId'>[]> {
  if (files.length > MAX_CONTACT_FILES) throw tooMany();
  const rows: Omit<FileRow, 'messageId'>[] = [];
  for (const bytes of files) {
    const { type } = await openPicture(bytes, ['png', 'jpeg']).catch(explain);
    const [png, jpeg] = CONTACT_FILE_TYPES;
    const place = rows.length + 1;
    rows.push(type === 'png' ? { place, name: `${place}.png`, type: png, bytes } : { place, name: `${place}.jpg`, type: jpeg, bytes });
  }
  return rows;
}

function tooMany() {
  const message = `At most ${MAX_CONTACT_FILES} images can be sent at once.`;
  return badRequest('too_many_files', message, { fields: { files: message } });
}
