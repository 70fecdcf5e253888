/** Whether this page runs in the frame of the training insight, where the outer page has the socket, toasts and worker. */
export const isFramed = window.parent !== window;
