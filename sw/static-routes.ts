import { SERVER_PATHS } from '../src/contract/paths.ts';

interface Route {
  condition: { urlPattern: { pathname: string } };
  source: 'network';
}

/** `addRoutes` exists in Chromium only: https://developer.mozilla.org/docs/Web/API/InstallEvent/addRoutes */
interface InstallEvent extends ExtendableEvent {
  addRoutes?(routes: Route[]): Promise<void>;
}

/** Lets the browser send requests to the server without starting the worker. */
export async function addStaticRoutes(event: InstallEvent): Promise<void> {
  const routes = SERVER_PATHS.map((path): Route => ({ condition: { urlPattern: { pathname: `${path}{/*}?` } }, source: 'network' }));
  try {
    await event.addRoutes?.(routes);
  } catch (error) {
    console.error('the browser accepts no static routes', error);
  }
}
