import { useSyncExternalStore } from 'react';
import { isReachable, onReachabilityChange } from './reachability.ts';

/** Returns whether the server is reachable. */
export const useReachable = (): boolean => useSyncExternalStore(onReachabilityChange, isReachable);
