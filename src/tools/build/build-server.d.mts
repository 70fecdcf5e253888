import type { BuildOptions } from 'esbuild';

export function bundle(folder: string): BuildOptions;
export function copyData(folder: string): void;
export function buildServer(): Promise<void>;
