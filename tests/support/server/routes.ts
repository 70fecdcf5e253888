import type { FastifyInstance } from 'fastify';

export interface Route {
  method: string;
  /** Parameters are written as `:name`. */
  path: string;
}

/** Returns every route of the app, so that a test over all routes covers new ones too. */
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
