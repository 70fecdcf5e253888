import fs from 'node:fs';
import path from 'node:path';
import { openFileBlobs } from '#server/ports/blobs/file-blobs.ts';

/** Stores one blob, starts another and is killed before any row references them. */
const [directory = '', content = ''] = process.argv.slice(2);
await openFileBlobs(directory).put(Buffer.from(content));
fs.writeFileSync(path.join(directory, 'tmp', 'half-written'), 'half');
process.kill(process.pid, 'SIGKILL');
