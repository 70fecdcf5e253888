import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { identityOf } from '../authenticate.ts';
import { Problem, unavailable } from '../errors.ts';
import { networkOf } from '../network.ts';

/** Uploads in flight: from the first byte of the body to the end of its handler. */
const PER_USER = 2;
const PER_NETWORK = 10;
const PER_PROCESS = 20;
/** An upload that brings less than this, bytes a second on average over a window, is cut off. A slow phone has 50 KB/s. */
const MIN_SPEED = 8_000;
const WINDOW = 30_000;
/** Seconds until a refused upload may be sent again. */
const RETRY_AFTER = 5;
/** Processes may share the folder; no upload takes this long, ms. */
const LEFT_BEHIND = 60 * 60_000;

/** A file of a form in a temporary place; it is deleted after the request. */
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
  /** Writes a file of the form to disk. */
  save(content: Readable): Promise<UploadedFile>;
  /** Runs work on the upload: its files and its place are kept until the work ends, also when the sender is gone. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export interface Uploads {
  /** Gives a request with files a place before its body is read. Throws 429 or 503 when there is none. */
  admit(request: FastifyRequest, reply: FastifyReply): void;
  of(request: FastifyRequest): Upload | undefined;
  /** Deletes what uploads of crashed processes left; may run at any time. */
  sweep(): Promise<void>;
}

interface Options {
  /** Where files are put while their request runs. */
  directory: string;
  /** No other process uses the directory. */
  alone: boolean;
  /** ms; tests shorten it. */
  window?: number;
}

/** Limits uploads in flight and keeps their files on disk, never in memory. */
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
      const [user, network] = [`user ${identityOf(request).userId}`, `network ${networkOf(request.ip)}`];
      if (isFull(user, PER_USER)) {
        reply.header('retry-after', RETRY_AFTER);
        throw new Problem(429, 'too_many_uploads', 'Two uploads are under way. Wait until one has ended, then try again.');
      }
      if (isFull(network, PER_NETWORK) || isFull('all', PER_PROCESS)) {
        reply.header('retry-after', RETRY_AFTER);
        throw unavailable('busy', 'Many uploads are under way. Please try again in a moment.');
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

/** `end` runs once: when the connection is done with and no work on the upload is left. */
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

/** Ends the connection of a body that arrives too slowly; returns how to stop watching. */
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
