import { useState as reactUseState } from 'react';

export { useContext, useEffect } from 'react';

/**
 * `useRouter()` outside a Router sets its state while the Router renders. React forbids that, so the update waits for a
 * microtask.
 */
export function useState() {
  const [state, set] = reactUseState<unknown>();
  const [later] = reactUseState(() => (next: unknown) => queueMicrotask(() => set(next)));
  return [state, later] as const;
}
