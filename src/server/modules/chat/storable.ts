/** PostgreSQL text holds every character but NUL. */
export const storable = (text: string): string => text.replaceAll('\0', '');
