import { useSyncExternalStore } from 'react';
import { isReachable, onReachabilityChange } from './reachability.ts';

/** Whether the server can be reached, as far as is known; drawn again whenever that changes. */
export const useReachable = (): boolean => useSyncExternalStore(onReachabilityChange, isReachable);
