// Loaded with the answers that they check: the first render of a stored conversation needs no schema.

export const loadConversationAnswer = () => import('#contract/chat/chat.ts').then(({ conversationAnswer }) => conversationAnswer);

export const loadOneMessageAnswer = () => import('#contract/chat/chat.ts').then(({ oneMessageAnswer }) => oneMessageAnswer);

export const loadArchiveAnswer = () => import('#contract/chat/archive.ts').then(({ archiveAnswer }) => archiveAnswer);
