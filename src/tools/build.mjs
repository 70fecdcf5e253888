// `npm run build [app] [server]`: rebuilds dist/client and dist/server, or one of them, if their inputs changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { alone } from './alone.mjs';
import { digest } from './build/digest.mjs';
import { at } from './root.mjs';

const shared = ['src/contract', 'src/domain', 'src/tools', 'package-lock.json', 'tsconfig.json'];
const settings = Object.entries(process.env)
  .filter(([name]) => name.startsWith('VITE_'))
  .map((setting) => setting.join('='))
  .sort();

const parts = [
  {
    name: 'app',
    folder: 'dist/client',
    inputs: digest([...shared, 'index.html', 'vite.config.ts', 'public', 'src/client', 'sw'], settings),
    build: async () => (await import('./build/build-client.mjs')).buildClient(),
  },
  {
    name: 'server',
    folder: 'dist/server',
    inputs: digest([...shared, 'src/server']),
    build: async () => (await import('./build/build-server.mjs')).buildServer(),
  },
];

const wanted = process.argv.slice(2);

process.env.NODE_ENV = 'production';
const stampOf = ({ folder }) => at(`${folder}.stamp`);
const isStale = (part) => !existsSync(at(part.folder)) || !existsSync(stampOf(part)) || readFileSync(stampOf(part), 'utf8') !== part.inputs;

for (const part of parts) {
  if (wanted.length > 0 && !wanted.includes(part.name)) continue;
  if (!isStale(part)) continue;
  await alone(async () => {
    if (!isStale(part)) return; // another process has built it meanwhile
    console.log(`Building the ${part.name}…`);
    await part.build();
    writeFileSync(stampOf(part), part.inputs);
  });
}
