import { MAX_PIXELS } from '#contract/pictures.ts';
import { badRequest } from '../http/errors.ts';
import { PictureRefused, type RefusalReason } from './open-picture.ts';

interface Words {
  /** Start of the sentence, such as "The photo". */
  subject: string;
  /** Accepted types, such as "a PNG or JPEG image". */
  types: string;
  /** Form field, and prefix of the error codes. */
  field: string;
  code: string;
}

/** Returns a `catch` handler that turns PictureRefused into a 400 for the user and rethrows other errors. */
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
