import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { identityOf } from '../authenticate.ts';
import { badRequest, busy, Problem } from '../errors.ts';
import { networkOf } from '../network.ts';

/** Uploads in flight, from the first byte of the body to the end of the handler. */
const PER_USER = 2;
const PER_NETWORK = 10;
const PER_PROCESS = 20;
/** Minimum upload speed, bytes a second, averaged over a window. A slow phone has 50 KB/s. */
const MIN_SPEED = 8_000;
const WINDOW = 30_000;
/** Retry-After of a refused upload, seconds. */
const RETRY_AFTER = 5;
/** Age at which a file is left over from a crash, ms: no upload takes this long, and processes may share the folder. */
const LEFT_BEHIND = 60 * 60_000;

/** A temporary file of a form; deleted after the request. */
export class UploadedFile {
  constructor(
    readonly path: string,
    /** Bytes. */
    readonly size: number,
    /** SHA-256, base64url. */
    readonly hash: string,
  ) {}
}

export interface Upload {
  /** Writes a file to disk. */
  save(content: Readable): Promise<UploadedFile>;
  /** Keeps the files and the upload slot until the work ends, even when the sender disconnects. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export interface Uploads {
  /** Takes an upload slot before the body is read. Throws 429 or 503 when none is free. */
  admit(request: FastifyRequest, reply: FastifyReply): void;
  of(request: FastifyRequest): Upload | undefined;
  /** Deletes files that crashed processes left; safe at any time. */
  sweep(): Promise<void>;
}

interface Options {
  /** Folder of the temporary files. */
  directory: string;
  /** Whether no other process uses the directory. */
  alone: boolean;
  /** ms; tests shorten it. */
  window?: number;
}

/** Limits uploads in flight, and keeps their files on disk instead of in memory. */
export function createUploads({ directory, alone, window = WINDOW }: Options): Uploads {
  const startedAt = Date.now();
  const admitted = new WeakMap<FastifyRequest, Upload>();
  const inFlight = new Map<string, number>();
  const count = (key: string, change: number): void => {
    const next = (inFlight.get(key) ?? 0) + change;
    if (next > 0) inFlight.set(key, next);
    else inFlight.delete(key);
  };
  const isFull = (key: string, max: number) => (inFlight.get(key) ?? 0) >= max;

  return {
    of: (request) => admitted.get(request),

    admit(request, reply) {
      // Its end came while its user was looked up: no later event would free its places.
      if (reply.raw.closed) throw badRequest('form', 'The connection ended before the form arrived.');
      const [user, network] = [`user ${identityOf(request).userId}`, `network ${networkOf(request.ip)}`];
      if (isFull(user, PER_USER)) {
        reply.header('retry-after', RETRY_AFTER);
        throw new Problem(429, 'too_many_uploads', 'You already have two uploads in progress. Wait until one finishes, then try again.');
      }
      if (isFull(network, PER_NETWORK) || isFull('all', PER_PROCESS)) {
        reply.header('retry-after', RETRY_AFTER);
        throw busy('Too many uploads are in progress. Please try again in a moment.');
      }
      const places = ['all', user, network];
      for (const key of places) count(key, 1);
      const stopWatching = cutOffWhenSlow(request, window);
      const upload = createUpload(path.join(directory, randomUUID()), () => {
        stopWatching();
        for (const key of places) count(key, -1);
      });
      admitted.set(request, upload);
      reply.raw.once('close', upload.close);
    },

    async sweep() {
      const before = alone ? startedAt : Date.now() - LEFT_BEHIND;
      for (const name of await fs.readdir(directory).catch(() => [])) {
        const left = path.join(directory, name);
        const found = await fs.stat(left).catch(() => undefined);
        if (found && found.mtimeMs < before) await fs.rm(left, { recursive: true, force: true });
      }
    },
  };
}

/** Calls `end` once, when the connection is closed and no work on the upload is left. */
function createUpload(folder: string, end: () => void): Upload & { close: () => void } {
  let [working, files, closed, ended] = [0, 0, false, false];

  function endWhenDone(): void {
    if (!closed || working > 0 || ended) return;
    ended = true;
    end();
    if (files > 0) void fs.rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }

  return {
    async save(content) {
      files += 1;
      await fs.mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, String(files));
      const hash = createHash('sha256');
      let size = 0;
      const measured = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      };
      await pipeline(content, measured, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
      return new UploadedFile(file, size, hash.digest('base64url'));
    },

    async during(work) {
      working += 1;
      try {
        return await work();
      } finally {
        working -= 1;
        endWhenDone();
      }
    },

    close() {
      closed = true;
      endWhenDone();
    },
  };
}

/** Closes the connection of a body that is too slow. Returns a function that stops the check. */
function cutOffWhenSlow({ raw }: FastifyRequest, window: number): () => void {
  let before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    const read = raw.socket.bytesRead;
    if (raw.complete) clearInterval(timer);
    else if (read - before < (MIN_SPEED * window) / 1000) raw.destroy();
    before = read;
  }, window).unref();
  return () => clearInterval(timer);
}
