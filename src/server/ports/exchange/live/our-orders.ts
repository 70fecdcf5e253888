/** Our order ids are UUIDs of version 5 (bots/store/orders.ts). All other orders belong to the account's owner. */
const OURS = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const isOurs = (clientId: string): boolean => OURS.test(clientId);
