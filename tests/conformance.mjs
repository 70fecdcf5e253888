// `npm run conformance`: every row of docs/conformance.md and docs/bot-safety.md names tests that exist. `npm test` also asks that they passed.
import { ensureInstalled } from '../src/tools/install.mjs';

await ensureInstalled();
const { checkConformance } = await import('./support/conformance/conformance-check.mjs');
if (!checkConformance()) process.exitCode = 1;
