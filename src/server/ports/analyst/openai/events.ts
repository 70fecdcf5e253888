import { CompletionError } from './wire.ts';

/** Maximum characters of an event; a longer one means that the endpoint does not come to an end. */
const MAX_EVENT = 1_000_000;

/**
 * Yields the data of each server-sent event of a byte stream, in order, once it is complete. Ignores comments and an incomplete
 * event at the end. Throws on an event of more than a million characters.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = []; // pieces of a line, joined once it is complete
  let data: string[] = [];
  let length = 0;
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    length += text.length;
    if (length > MAX_EVENT) throw new CompletionError('an event does not come to an end', false);
    rest.push(text);
    if (!/[\r\n]/.test(text) && !rest.at(-2)?.endsWith('\r')) continue;
    const lines = rest.join('').split(/\r\n|\n|\r(?!$)/);
    rest = [lines.pop() ?? ''];
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
    length = [...rest, ...data].reduce((sum, each) => sum + each.length, 0);
  }
}
