import { createHash } from 'node:crypto';
import { build, type Plugin } from 'vite';
import { FIRST_SCRIPT_ADDRESS } from '#domain/route-files.ts';
import { at } from '../root.mjs';
import { takeOverScripts } from './route-files.ts';

/** Entries of scripts that run before the app. Each is a classic script on its own, because it must not wait for files of the app. */
export const FIRST_SCRIPT = 'src/client/first-script/main.ts';
export const FIRST_SCREEN_SCRIPT = 'src/client/first-screen-script/main.ts';
const SHARE_SCRIPT = 'src/client/share-script/main.ts';
/** The script of the server's page for shares. The worker does without it. */
export const SHARE_SCRIPT_FILE = 'share.js';

/** Bundles a classic script. `define` names its constants, as JSON. */
export async function buildClassicScript(entry: string, define: Record<string, string> = {}): Promise<string> {
  const result = await build({
    configFile: false,
    root: at('.'),
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: { write: false, target: 'es2022', rolldownOptions: { input: at(entry), output: { format: 'iife' } } },
  });
  if (!('output' in result) && !Array.isArray(result)) throw new Error(`${entry} is not watched`);
  const [script] = [result].flat().flatMap(({ output }) => output);
  if (script?.type !== 'chunk') throw new Error(`${entry} has no code`);
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
      code = await buildClassicScript(FIRST_SCRIPT);
      fileName = `${FIRST_SCRIPT_ADDRESS.slice(1)}${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
      this.emitFile({ type: 'asset', fileName, source: code });
    },
    // `async`, so that it runs as soon as it has arrived. Browsers give such scripts a low priority by default.
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/${fileName}`, async: true, fetchpriority: 'high' }, injectTo: 'head' }],
  };
}

/** Adds the script of stored first screens to the build. The worker puts it into pages. */
export const firstScreenScriptPlugin = (): Plugin => ({
  name: 'tidemark:first-screen-script',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    const define = { TAKE_OVER_SCRIPTS: JSON.stringify(takeOverScripts(bundle)) };
    this.emitFile({ type: 'asset', fileName: 'first-screen.js', source: await buildClassicScript(FIRST_SCREEN_SCRIPT, define) });
  },
});

/** Adds the script of the server's page for shares to the build. */
export const shareScriptPlugin = (): Plugin => ({
  name: 'tidemark:share-script',
  apply: 'build',
  async buildStart() {
    this.emitFile({ type: 'asset', fileName: SHARE_SCRIPT_FILE, source: await buildClassicScript(SHARE_SCRIPT) });
  },
});
