import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { isKeptPage } from '#client/platform/first-screen/kept-pages.ts';
import { FIRST_SCRIPT_ADDRESS, ROUTE_FILES, type RouteFiles } from '#domain/route-files.ts';
import { at } from '../root.mjs';
import { ANSWERS, ARCHIVES, COLUMNS, DB } from './client-chunks.ts';

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

const isKept = (pattern: string) => isKeptPage({ pathname: pattern.replace(/:\w+/g, '1'), search: '' });

/** Returns the modules of the pages that have a stored first screen, from the project's root. */
export const keptPages = (): string[] => readRoutes().flatMap(({ paths, module }) => (paths.some(isKept) ? [module] : []));

/** Returns the addresses of a chunk and of all that it imports statically, in the order of their use. */
function filesOf(bundle: Rolldown.OutputBundle, name: string, seen = new Set<string>()): string[] {
  const chunk = bundle[name];
  if (chunk?.type !== 'chunk' || seen.has(name)) return [];
  seen.add(name);
  return [`/${name}`, ...chunk.imports.flatMap((imported) => filesOf(bundle, imported, seen))];
}

/** Returns the chunks of groups that files import dynamically. */
const importedBy = (bundle: Rolldown.OutputBundle, files: readonly string[], groups: readonly string[]): string[] =>
  chunksOf(bundle)
    .filter(({ fileName }) => files.includes(`/${fileName}`))
    .flatMap(({ dynamicImports }) => dynamicImports.filter((name) => groups.includes(bundle[name]?.name ?? '')));

/** Returns the address of the app's stylesheet. The font has another, which loads later. */
function stylesheet(bundle: Rolldown.OutputBundle): string {
  const found = Object.values(bundle).filter((file) => file.type === 'asset' && file.names.includes('style.css'));
  if (found.length !== 1) throw new Error(`${found.length} stylesheets`);
  return `/${found[0]?.fileName}`;
}

const chunksOf = (bundle: Rolldown.OutputBundle) => Object.values(bundle).filter((file) => file.type === 'chunk');

const entryNames = (bundle: Rolldown.OutputBundle): string[] =>
  chunksOf(bundle)
    .filter(({ facadeModuleId }) => facadeModuleId === at('index.html'))
    .map(({ fileName }) => fileName);

/** Returns the chunk with a page's module. */
function pageChunk(bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk {
  const [page, ...others] = chunksOf(bundle).filter(({ moduleIds }) => moduleIds.includes(at(module)));
  if (!page || others.length > 0) throw new Error(`${page ? 'several' : 'no'} chunks have ${module}`);
  return page;
}

/** Returns the files of chunks and of all that they import statically, each once. */
const allFiles = (bundle: Rolldown.OutputBundle, names: string[]): string[] => [...new Set(names.flatMap((name) => filesOf(bundle, name)))];

/** Returns the address of the first script, whose request decides when the page's own answer comes. */
function firstScript(bundle: Rolldown.OutputBundle): string {
  const found = Object.keys(bundle).filter((name) => `/${name}`.startsWith(FIRST_SCRIPT_ADDRESS));
  if (found.length !== 1) throw new Error(`${found.length} first scripts`);
  return `/${found[0]}`;
}

/** Returns the first script, the stylesheet, and the files of the app's entry and of the page, for each route. */
function routeFiles(bundle: Rolldown.OutputBundle): RouteFiles {
  const begin = [firstScript(bundle), stylesheet(bundle)];
  const entries = entryNames(bundle);
  const entryFiles = allFiles(bundle, entries);
  return readRoutes().map(({ paths, module }) => {
    const page = pageChunk(bundle, module).fileName;
    const own = filesOf(bundle, page).filter((file) => !entryFiles.includes(file));
    const names = [...entries, page, ...importedBy(bundle, own, [ANSWERS, ARCHIVES])]; // to check the first answer
    return { paths, files: [...begin, ...allFiles(bundle, names)] };
  });
}

/**
 * Returns the scripts that the app needs to take a stored first screen over, except its entry: those of the page, and the
 * database. Only for pages that have such a screen.
 */
export function takeOverScripts(bundle: Rolldown.OutputBundle): RouteFiles {
  const entries = entryNames(bundle);
  const databases = chunksOf(bundle).filter(({ name }) => name === DB);
  return readRoutes().flatMap(({ paths, module }) => {
    const kept = paths.filter(isKept);
    if (kept.length === 0) return [];
    const page = pageChunk(bundle, module).fileName;
    const names = [...entries, page, ...importedBy(bundle, [`/${page}`], [COLUMNS]), ...databases.map(({ fileName }) => fileName)];
    return [{ paths: kept, files: allFiles(bundle, names).filter((file) => !entries.includes(file.slice(1))) }];
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
