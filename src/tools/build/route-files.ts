import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { ROUTE_FILES, type RouteFiles } from '#domain/route-files.ts';
import { at } from '../root.mjs';
import { ANSWERS } from './client-chunks.ts';

const ROUTES = 'src/client/app/routes.tsx';

interface RoutePage {
  paths: string[];
  /** The page's module, from the project's root. */
  module: string;
}

/** Reads the patterns and page modules of the app's routes from their source. The build can't run it, because pages need a browser. */
export function readRoutes(): RoutePage[] {
  const source = readFileSync(at(ROUTES), 'utf8');
  return [...source.matchAll(/\bpage\(\s*(\[[^\]]*\]|'[^']*'),[^;]*?\bimport\('([^']+)'\)/g)].map(([, paths = '', specifier = '']) => ({
    paths: [...paths.matchAll(/'([^']*)'/g)].map(([, path = '']) => path),
    module: new URL(specifier, `file:///${ROUTES}`).pathname.slice(1),
  }));
}

/** Returns the addresses of a chunk and of all that it imports statically, in the order of their use. */
function filesOf(bundle: Rolldown.OutputBundle, name: string, seen = new Set<string>()): string[] {
  const chunk = bundle[name];
  if (chunk?.type !== 'chunk' || seen.has(name)) return [];
  seen.add(name);
  return [`/${name}`, ...chunk.imports.flatMap((imported) => filesOf(bundle, imported, seen))];
}

/** Returns the chunks that a page imports with its first request, to check the answer. */
const answersOf = (bundle: Rolldown.OutputBundle, { dynamicImports }: Rolldown.OutputChunk): string[] =>
  dynamicImports.filter((name) => bundle[name]?.name === ANSWERS);

/** Returns the address of the app's stylesheet. The font has another, which loads later. */
function stylesheet(bundle: Rolldown.OutputBundle): string {
  const found = Object.values(bundle).filter((file) => file.type === 'asset' && file.names.includes('style.css'));
  if (found.length !== 1) throw new Error(`${found.length} stylesheets`);
  return `/${found[0]?.fileName}`;
}

/** Returns the stylesheet and the files of the app's entry and of the page, for each route. */
function routeFiles(bundle: Rolldown.OutputBundle): RouteFiles {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entries = chunks.filter(({ facadeModuleId }) => facadeModuleId === at('index.html'));
  return readRoutes().map(({ paths, module }) => {
    const pages = chunks.filter(({ moduleIds }) => moduleIds.includes(at(module)));
    if (pages.length !== 1) throw new Error(`${pages.length} chunks have ${module}`);
    const names = [...entries.map(({ fileName }) => fileName), ...pages.flatMap((page) => [page.fileName, ...answersOf(bundle, page)])];
    return { paths, files: [stylesheet(bundle), ...new Set(names.flatMap((name) => filesOf(bundle, name)))] };
  });
}

/** Writes which files the page of each route needs, for the server's `Link` headers. */
export const routeFilesPlugin = (): Plugin => ({
  name: 'tidemark:route-files',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    this.emitFile({ type: 'asset', fileName: ROUTE_FILES, source: JSON.stringify(routeFiles(bundle)) });
  },
});
