import { createHash } from 'node:crypto';
import { build, type Plugin } from 'vite';
import { at } from '../root.mjs';

const ENTRY = 'src/client/first-script/main.ts';

/** Bundles the first script. It is a classic script on its own, because it must not wait for files of the app. */
export async function buildFirstScript(): Promise<string> {
  const result = await build({
    configFile: false,
    root: at('.'),
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', rolldownOptions: { input: at(ENTRY), output: { format: 'iife' } } },
  });
  if (!('output' in result) && !Array.isArray(result)) throw new Error('the first script is not watched');
  const [script] = [result].flat().flatMap(({ output }) => output);
  if (script?.type !== 'chunk') throw new Error('the first script has no code');
  return script.code;
}

/** Adds the first script to the build and to the head of index.html. `npm run dev` does without it. */
export function firstScriptPlugin(): Plugin {
  let code = '';
  let fileName = '';
  return {
    name: 'tidemark:first-script',
    apply: 'build',
    async buildStart() {
      code = await buildFirstScript();
      fileName = `assets/first-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName, source: code });
    },
    // `async`, so that it runs as soon as it has arrived. Browsers give such scripts a low priority by default.
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}`, async: true, fetchpriority: 'high' }, injectTo: 'head' }],
  };
}
