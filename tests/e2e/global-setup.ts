import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds what `npm start` serves, once for all tests. */
export default function build(): void {
  const script = fileURLToPath(new URL('../../src/tools/build.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
