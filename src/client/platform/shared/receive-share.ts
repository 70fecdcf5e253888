import { MAX_SHARED_BYTES, MAX_SHARED_TEXT, SHARE_FIELDS, type ShareProblem } from '#contract/share.ts';
import { within } from '../within.ts';
import { putShare } from './inbox.ts';

/** Storage that does not respond for this time, ms, is one that cannot be used: the browser waits with the page. */
const STORE_LIMIT = 10_000;

/** Stores what the form of a share has: its text and its first file. Returns what is missing, if anything is. */
export async function receiveShare(form: FormData): Promise<ShareProblem | undefined> {
  const files = form.getAll(SHARE_FIELDS.picture).filter((value) => value instanceof Blob && value.size > 0) as Blob[];
  const texts = [SHARE_FIELDS.title, SHARE_FIELDS.text, SHARE_FIELDS.url].map((name) => textOf(form.get(name)));
  const text = [...new Set(texts)].filter(Boolean).join('\n').slice(0, MAX_SHARED_TEXT);
  const [file] = files;
  const isTooLarge = file !== undefined && file.size > MAX_SHARED_BYTES;
  if (!file && !text) return 'broken';
  try {
    const picture = file && !isTooLarge ? { picture: await file.arrayBuffer() } : {};
    if (text || 'picture' in picture) {
      const storing = putShare({ id: crypto.randomUUID(), receivedAt: Date.now(), text, ...picture }).then(() => true);
      if (!(await within(STORE_LIMIT, storing))) return 'storage';
    }
  } catch (error) {
    console.error('storing what was shared failed', error);
    return 'storage';
  }
  return isTooLarge ? 'size' : files.length > 1 ? 'several' : undefined;
}

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value.slice(0, MAX_SHARED_TEXT).trim() : '');
