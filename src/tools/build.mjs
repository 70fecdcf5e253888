// `npm run build [app] [server]`: rebuilds dist/client and dist/server, or one of them, if their inputs changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
for (const { name, folder, inputs, build } of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const stamp = at(`${folder}.stamp`);
  if (existsSync(at(folder)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) continue;
  console.log(`Building the ${name}…`);
  await build();
  writeFileSync(stamp, inputs);
}
