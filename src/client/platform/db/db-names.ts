// Without Dexie: starts open these databases before its code has loaded.

export const DEVICE_DB = 'tidemark';
/** Databases of users are named by this and the user's id. */
export const USER_DB_PREFIX = 'tidemark-user-';
export const userDbName = (userId: string): string => USER_DB_PREFIX + userId;
