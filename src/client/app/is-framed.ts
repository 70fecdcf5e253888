/** This page stands in a frame of the training insight: what belongs to the whole app is left to the page around it. */
export const isFramed = window.parent !== window;
