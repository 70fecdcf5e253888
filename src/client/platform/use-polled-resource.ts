import { useState } from 'react';
import type { Resource } from './cache/resource.ts';
import { type ResourceState, useResource } from './cache/use-resource.ts';

/** Like `useResource`, but polls. `intervalOf` returns the interval for the data, ms; 0 turns polling off. */
export function usePolledResource<Params, Wire, Data>(
  resource: Resource<Params, Wire, Data>,
  params: Params,
  intervalOf: (data: Data | undefined) => number,
): ResourceState<Data> {
  const [refreshInterval, setRefreshInterval] = useState(0);
  const state = useResource(resource, params, { refreshInterval });
  // Set while rendering, so that React never paints the outdated state.
  const next = intervalOf(state.data);
  if (next !== refreshInterval) setRefreshInterval(next);
  return state;
}
