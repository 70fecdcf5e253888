import { useState as reactUseState } from 'react';

export { useContext, useEffect } from 'react';

/**
 * `useRouter()` outside a Router is told of a new address while the Router renders. React forbids updating
 * another component at that moment, so the telling waits for the end of the task.
 */
export function useState() {
  const [state, set] = reactUseState<unknown>();
  const [later] = reactUseState(() => (next: unknown) => queueMicrotask(() => set(next)));
  return [state, later] as const;
}
