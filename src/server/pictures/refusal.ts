import { MAX_PIXELS } from '#contract/pictures.ts';
import { badRequest } from '../http/errors.ts';
import { PictureRefused, type RefusalReason } from './open-picture.ts';

interface Words {
  /** What the sentence begins with, such as "The photo". */
  subject: string;
  /** What is taken instead of another type, such as "a PNG or JPEG image". */
  types: string;
  /** The field of the form, and what codes begin with. */
  field: string;
  code: string;
}

/** For the end of a promise: a refused picture becomes the 400 that its sender understands, other errors stay as they are. */
export function explainRefusal({ subject, types, field, code }: Words): (error: unknown) => never {
  const messages: Record<RefusalReason, string> = {
    type: `${subject} must be ${types}.`,
    pixels: `${subject} has more than ${MAX_PIXELS / 1_000_000} million pixels.`,
    broken: `${subject} cannot be read.`,
  };
  return (error) => {
    if (!(error instanceof PictureRefused)) throw error;
    const message = messages[error.reason];
    throw badRequest(`${code}_${error.reason}`, message, { fields: { [field]: message } });
  };
}
