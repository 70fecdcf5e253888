// `npm run test:repeat -- N [LANE or PATH…]`: runs the suite, a lane or a file N times, and prints every failure with its trace.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../src/tools/root.mjs';
import { runScript, Stopped } from '../src/tools/run.mjs';

const [times, ...what] = process.argv.slice(2);
if (!(Number(times) > 0)) {
  console.error('Usage: npm run test:repeat -- N [unit|server|e2e|PATH…]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'tidemark-repeat-'));
const lines = [];
const failures = [];
try {
  for (let run = 1; run <= Number(times); run++) {
    console.log(`\n━━ Run ${run} of ${times}`);
    const report = join(folder, `${run}.json`);
    const began = performance.now();
    await runScript(at('tests/run.mjs'), what, { env: { ...process.env, TEST_REPORT: report } }).catch((error) => {
      if (error instanceof Stopped) throw error;
    });
    const total = JSON.parse(readFileSync(report, 'utf8'));
    lines.push(`Run ${run}: ${total.passed} passed, ${total.failed} failed, ${Math.round((performance.now() - began) / 1000)} s`);
    failures.push(...total.failures.map((failure) => ({ run, ...failure })));
    if (total.failed > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

for (const { run, file, title, trace } of failures) console.log(`\n✗ run ${run}: ${file} › ${title}\n${trace}`);
console.log(`\n${lines.join('\n')}`);
