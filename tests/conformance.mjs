// `npm run conformance`: checks that every row of docs/conformance.md and docs/bot-safety.md names existing tests. `npm test` also checks that they passed.
import { ensureInstalled } from '../src/tools/install.mjs';

await ensureInstalled();
const { checkConformance } = await import('./support/conformance/conformance-check.mjs');
if (!checkConformance()) process.exitCode = 1;
