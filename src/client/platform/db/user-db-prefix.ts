/** Databases of users are named by this and the user's id. The worker reads it without loading Dexie. */
export const USER_DB_PREFIX = 'tidemark-user-';
