import type { FastifyInstance } from 'fastify';

export interface Route {
  method: string;
  /** With parameters as `:name`. */
  path: string;
}

/** Every route the app has, so that tests over all of them need no list that someone forgets to extend. */
export function routesOf(app: FastifyInstance): Route[] {
  const branch: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = line.match(/^([│ ]*)[├└]── (\S+) \((.+)\)$/) ?? [];
      branch.length = indent.length / 4;
      branch.push(part);
      return methods ? methods.split(', ').map((method) => ({ method, path: branch.join('') })) : [];
    })
    .filter(({ method }) => method !== 'HEAD' && method !== 'OPTIONS');
}
