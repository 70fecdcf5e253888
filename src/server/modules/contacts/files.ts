import { CONTACT_FILE_TYPES, MAX_CONTACT_FILES } from '#contract/contact.ts';
import { badRequest } from '#server/http/errors.ts';
import type { UploadedFile } from '#server/http/forms/uploads.ts';
import { decodeInTurn } from '#server/pictures/decode-turn.ts';
import { openPicture } from '#server/pictures/open-picture.ts';
import { explainRefusal } from '#server/pictures/refusal.ts';

const explain = explainRefusal({ subject: 'An attached image', types: 'a PNG or JPEG', field: 'files', code: 'picture' });

/** A picture of a message, named by its place and type. */
interface NamedFile {
  place: number;
  name: string;
  type: string;
}

/**
 * Names pictures by what they are, whatever they claim to be. Of their content only the header is looked at: they are
 * stored as they came and shown to nobody but the operator. 400 for anything but PNG and JPEG, and for too many.
 */
export async function readFiles(userId: string, files: readonly UploadedFile[]): Promise<NamedFile[]> {
  if (files.length > MAX_CONTACT_FILES) throw tooMany();
  return files.length === 0 ? [] : decodeInTurn(userId, () => nameFiles(files));
}

async function nameFiles(files: readonly UploadedFile[]): Promise<NamedFile[]> {
  const rows: NamedFile[] = [];
  for (const { path } of files) {
    const { type } = await openPicture(path, ['png', 'jpeg']).catch(explain);
    const [png, jpeg] = CONTACT_FILE_TYPES;
    const place = rows.length + 1;
    rows.push(type === 'png' ? { place, name: `${place}.png`, type: png } : { place, name: `${place}.jpg`, type: jpeg });
  }
  return rows;
}

function tooMany() {
  const message = `At most ${MAX_CONTACT_FILES} images can be sent at once.`;
  return badRequest('too_many_files', message, { fields: { files: message } });
}
