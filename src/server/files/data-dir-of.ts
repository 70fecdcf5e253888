import path from 'node:path';

/** Returns the data directory that the environment names. */
export const dataDirOf = ({ DATA_DIR }: NodeJS.ProcessEnv): string => path.resolve(DATA_DIR?.trim() || '.data');
