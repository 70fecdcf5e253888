// `npm run docs:settings`: writes the settings tables of README.md and .env.example from src/server/settings/settings.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { runnerImport } from 'vite';
import { at } from './root.mjs';

const { module } = await runnerImport(at('src/server/settings/readme-tables.ts'), { root: at('.'), envDir: false, logLevel: 'error' });
writeFileSync(at('README.md'), module.withSettingsTables(readFileSync(at('README.md'), 'utf8')));
writeFileSync(at('.env.example'), module.envExample());
