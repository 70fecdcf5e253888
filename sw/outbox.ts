import { drainContacts } from '../src/client/platform/outbox/contacts-worker.ts';

// A script of its own, with Dexie: contacts.ts loads it when a message waits.
Object.assign(self, { drainContacts });
