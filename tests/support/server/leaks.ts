/** What a server leaves behind, for tests that look for secrets in it. */
import fs from 'node:fs';
import path from 'node:path';

/** Creates a log that keeps everything a server writes. */
export function createLog() {
  let text = '';
  return {
    write(line: string): void {
      text += line;
    },
    text: (): string => text,
  };
}

/** Returns the paths of all files below a folder. */
export const filesBelow = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((file) => path.join(file.parentPath, file.name));

/** Returns the files below a folder that contain a text. */
export const filesWith = (folder: string, text: string): string[] =>
  filesBelow(folder).filter((file) => fs.readFileSync(file).includes(text));
