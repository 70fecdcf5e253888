import { basename, dirname } from 'node:path';
import type { Rolldown } from 'vite';
import { at } from '../root.mjs';
import { keptPages } from './route-files.ts';

type Graph = Rolldown.ChunkingContext;
type Group = Pick<Rolldown.CodeSplittingGroup, 'name' | 'minShareCount' | 'minSize' | 'priority'>;

/** Where visitors begin: they load nothing for the pages of users. */
const VISITORS = ['src/client/features/account/sign-up/sign-up-page.tsx', 'src/client/features/account/sign-in/login-page.tsx'];

const ZOD = /\/node_modules\/zod\//;

/** Pages of one feature share a file. */
const nameOf = (page: string): string => (page.includes('/features/') ? basename(dirname(page)) : basename(page, '.tsx'));

/** Returns a module and all that it imports statically. */
function needsOf(entry: string, graph: Graph): Set<string> {
  const needs = new Set([entry]);
  for (const id of needs) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) needs.add(imported);
  return needs;
}

/**
 * Returns groups for what the first render of a page with a stored screen needs: modules that visitors need too, those of several such
 * pages, those of one that much other code imports, and the rest of one. By path, they would share files with code that follows the first
 * screen, and the take-over would load that.
 */
export function firstScreenChunks(): Group[] {
  const needs = new Map<string, Set<string>>();
  const among = (pages: readonly string[], id: string, graph: Graph): string[] => {
    for (const page of pages) if (!needs.has(page)) needs.set(page, needsOf(at(page), graph));
    return [...new Set(pages.filter((page) => needs.get(page)?.has(id)).map(nameOf))];
  };
  const kept = keptPages();
  const isForVisitors = (id: string, graph: Graph) => among(VISITORS, id, graph).length > 0;
  const usesZod = (id: string, graph: Graph) => graph.getModuleInfo(id)?.importedIds.some((imported) => ZOD.test(imported));
  const group = (name: (pages: string[], id: string, graph: Graph) => string | false | undefined, limits: Partial<Group> = {}): Group => ({
    name: (id, graph) => name(among(kept, id, graph), id, graph) || null,
    priority: 1,
    ...limits,
  });
  return [
    // Most such pages do without schemas.
    group((pages, id, graph) => pages.length > 0 && isForVisitors(id, graph) && (usesZod(id, graph) ? 'schemas' : 'common'), {
      minShareCount: 2,
    }),
    group((pages) => pages.length > 1 && 'screens', { minShareCount: 2 }),
    group(([page]) => page && `${page}-parts`, { minShareCount: 2, minSize: 50_000 }),
    group(([page]) => page),
  ];
}
