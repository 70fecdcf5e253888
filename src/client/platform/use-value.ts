import { useSyncExternalStore } from 'react';
import type { Value } from './create-value.ts';

/** Reads a value in a component, which rerenders when it changes. */
export const useValue = <T>({ get, subscribe }: Value<T>): T => useSyncExternalStore(subscribe, get);
