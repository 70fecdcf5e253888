/** Reads a body as text. Throws, and closes its stream, as soon as it is longer than `max` bytes. */
export async function readLimited(body: AsyncIterable<Uint8Array>, max: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > max) throw new Error(`the answer has more than ${max} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
