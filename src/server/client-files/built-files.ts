import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REVISION } from '#contract/paths.ts';
import { VISIT_HTML } from '#domain/route-files.ts';

const ASSETS = 'assets';
/** Files of these types are part of the app; others are source maps and compressed copies. */
const APP_FILE = /\.(js|css|woff2|html|svg|webmanifest)$/;
/** Each version has its own at the same address: browsers and visitors get that of the server they reach. */
const OF_THE_SERVER = new Set(['sw.js', VISIT_HTML]);

/** A file of one build. */
export interface ClientFile {
  /** Its address below the root, with its revision if the name has no content hash. */
  key: string;
  /** Whether the content is compressed. */
  encoding: 'br' | 'identity';
  content: Buffer;
}

/** Lists the addresses of a built client's files that another build may lack, with their place on the disk. */
export async function listClientFiles(clientDir: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const assets = join(clientDir, ASSETS);
  if (existsSync(assets))
    for (const name of readdirSync(assets).filter((each) => APP_FILE.test(each))) files.set(`${ASSETS}/${name}`, join(assets, name));
  for (const name of readdirSync(clientDir).filter((each) => APP_FILE.test(each) && !OF_THE_SERVER.has(each))) {
    const file = join(clientDir, name);
    const revision = createHash('md5')
      .update(await readFile(file))
      .digest('hex');
    files.set(`${name}?${REVISION}=${revision}`, file);
  }
  return files;
}

/** Reads a file of the build, compressed where the build has done that. */
export async function readClientFile(key: string, file: string): Promise<ClientFile> {
  const compressed = `${file}.br`;
  return existsSync(compressed)
    ? { key, encoding: 'br', content: await readFile(compressed) }
    : { key, encoding: 'identity', content: await readFile(file) };
}
