export function bundleProgram(file: string): Promise<string>;
