// `node src/tools/axis-templates.mjs [CHROMIUM]`: draws the templates anew that digits of a chart's axis are compared with.
import { writeFileSync } from 'node:fs';
import { loadBundled } from './load-bundled.mjs';
import { at } from './root.mjs';

const { drawTemplates } = await loadBundled('src/tools/commands/axis-templates.ts');
const [chromium = '/usr/bin/chromium'] = process.argv.slice(2);
writeFileSync(at('src/domain/chart-reading/axis/templates.ts'), await drawTemplates(chromium));
