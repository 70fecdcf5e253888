import { useEffect, useState } from 'react';
import type { LateParts } from '#client/coins/wide/late-parts.ts';
import { afterContent } from '#client/platform/after-content.ts';

let loaded: LateParts | undefined;

export async function loadLateParts(): Promise<LateParts> {
  loaded = (await import('#client/coins/wide/late-parts.ts')).lateParts;
  return loaded;
}

/** Returns the parts of the rows that follow the first content, once their code is loaded. */
export function useLateParts(): LateParts | undefined {
  const [parts, show] = useState(loaded);
  useEffect(() => {
    afterContent()
      .then(loadLateParts)
      .then(show, () => undefined); // the list works without them
  }, []);
  return parts;
}
