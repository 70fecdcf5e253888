import { startEarly } from './first-script.ts';

// Whatever fails here, the app tries again and reports.
startEarly().catch(() => undefined);
