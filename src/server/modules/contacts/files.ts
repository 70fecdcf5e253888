import { MAX_CONTACT_FILES } from '#contract/contact.ts';
import { CONTACT_FILE_TYPES } from '#contract/pictures.ts';
import { badRequest } from '#server/http/errors.ts';
import type { UploadedFile } from '#server/http/forms/uploads.ts';
import { decodeInTurn } from '#server/pictures/decode-turn.ts';
import { openPicture } from '#server/pictures/open-picture.ts';
import { explainRefusal } from '#server/pictures/refusal.ts';

const explain = explainRefusal({ subject: 'An attached image', types: 'a PNG or JPEG', field: 'files', code: 'picture' });

/** A picture of a message, named by its number and type. */
interface NamedFile {
  place: number;
  name: string;
  type: string;
}

/** Detects each picture's type from its header. Pictures are stored unchanged, for the operator alone. Throws 400 for other types */
/** than PNG and JPEG, and for too many files. */
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
