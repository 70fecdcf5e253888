// The worker of `npm run dev` is a module, which can't load the outbox later.
import './outbox.ts';
import './index.ts';
