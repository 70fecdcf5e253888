import { asUser } from '#client/platform/api/call.ts';
import { ApiError, NetworkError } from '#client/platform/api/errors.ts';
import { refusalOf } from '#client/platform/api/send.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { API_URL } from '#client/platform/settings.ts';

const TYPE = 'application/zip';
/** Longest pause between two parts of the answer, ms. */
const IDLE_TIMEOUT_MS = 120_000;
/** The record at the end of every ZIP archive: its signature, and its length in bytes. */
const END = [0x50, 0x4b, 0x05, 0x06];
const END_BYTES = 22;

interface Options {
  userId: string;
  signal: AbortSignal;
  /** Bytes received; the total is unknown. */
  onProgress: (received: number) => void;
}

/**
 * Downloads all data that the server has of a user, as a ZIP archive. Throws ApiError if the server refuses,
 * NetworkError for an incomplete archive, and the signal's reason if it is aborted.
 */
export const downloadExport = (options: Options): Promise<Blob> => asUser((token) => fetchExport(options, token));

async function fetchExport({ userId, signal, onProgress }: Options, token: string | undefined): Promise<Blob> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  let timer = setTimeout(end, IDLE_TIMEOUT_MS);
  const onPart = (received: number) => {
    clearTimeout(timer);
    timer = setTimeout(end, IDLE_TIMEOUT_MS);
    onProgress(received);
  };
  try {
    const response = await fetch(`${API_URL}/user/${userId}/export`, {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      credentials: 'include',
      signal: ending.signal,
    });
    const isJson = response.headers.get('Content-Type')?.includes('json');
    if (!response.ok && isJson) throw await refusalOf({ status: response.status, json: await response.json() });
    // A captive portal or proxy answers with HTML.
    if (response.headers.get('Content-Type') !== TYPE || !response.body) throw new TypeError('not an archive');
    const archive = await readWhole(response.body, onPart);
    reportReachable();
    return archive;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    reportUnreachable();
    throw new NetworkError(ending.signal.aborted ? 'timeout' : 'unreachable');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Reads the whole archive. Throws if its end is missing. */
async function readWhole(body: ReadableStream<Uint8Array<ArrayBuffer>>, onPart: (received: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    received += part.value.length;
    onPart(received);
  }
  const archive = new Blob(parts, { type: TYPE });
  const end = new Uint8Array(await archive.slice(-END_BYTES).arrayBuffer());
  if (!END.every((byte, at) => end[at] === byte)) throw new TypeError('the archive was cut');
  return archive;
}
