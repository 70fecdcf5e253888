import { type ComponentType, lazy, useState } from 'react';

export type Page = ComponentType<Record<string, string | undefined>>;
export type LoadPage = () => Promise<{ default: Page }>;

/**
 * Creates a page whose code loads on demand. Loaded code renders at once; React's `lazy` would show the fallback for
 * 300 ms.
 */
export function latePage(load: LoadPage): { page: Page; load: LoadPage } {
  let loaded: Page | undefined;
  const loadOnce: LoadPage = async () => {
    const code = await load();
    loaded = code.default;
    return code;
  };
  const Late = lazy(loadOnce);
  const page: Page = (props) => {
    // Decided once, so that the page keeps its state when its code arrives.
    const [Shown] = useState(() => loaded ?? Late);
    return <Shown {...props} />;
  };
  return { page, load: loadOnce };
}
