import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The tests drive what `npm start` serves, so it is built once for all of them. */
export default function build(): void {
  const script = fileURLToPath(new URL('../../src/tools/build.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
