import { useSyncExternalStore } from 'react';
import { isReachable, onReachabilityChange } from './reachability';

/** Whether the server can be reached, as far as is known; drawn again whenever that changes. */
export const useReachable = (): boolean => useSyncExternalStore(onReachabilityChange, isReachable);
