/** An icon's path on a 24 px grid, for round strokes of 1.75. */
export interface Drawing {
  path: string;
}

// Icons that no first screen shows. Each is a constant, so that it is bundled with the pages that use it.
export const BOT: Drawing = {
  path: 'M6.5 8.5h11A1.5 1.5 0 0 1 19 10v8a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 18v-8a1.5 1.5 0 0 1 1.5-1.5ZM12 8.5V4.5M9.5 13v1.5m5-1.5v1.5M2.5 12.5v3m19-3v3',
};
export const BRANCH: Drawing = {
  path: 'M6.5 4.5v7a4 4 0 0 0 4 4h8m-4-4 4 4-4 4M6.5 11.5v8',
};
export const CAMERA: Drawing = {
  path: 'M8.5 6.5 10 4.5h4l1.5 2h3A1.5 1.5 0 0 1 20.5 8v9.5a1.5 1.5 0 0 1-1.5 1.5H5a1.5 1.5 0 0 1-1.5-1.5V8A1.5 1.5 0 0 1 5 6.5zM12 9.2a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6Z',
};
export const CHAT: Drawing = {
  path: 'M12 4.5c4.7 0 8.5 3 8.5 7s-3.8 7-8.5 7a10 10 0 0 1-2.9-.4L4.5 20l1.2-3.7a6.3 6.3 0 0 1-2.2-4.8c0-4 3.8-7 8.5-7Z',
};
export const COINS: Drawing = {
  path: 'M3.5 7.5c0-1.4 2.5-2.5 5.5-2.5s5.5 1.1 5.5 2.5S12 10 9 10 3.5 8.9 3.5 7.5Zm0 0v4.5c0 1.4 2.5 2.5 5.5 2.5m5.5-7v2M9.5 15.5c0-1.4 2.5-2.5 5.5-2.5s5.5 1.1 5.5 2.5-2.5 2.5-5.5 2.5-5.5-1.1-5.5-2.5Zm0 0V18c0 1.4 2.5 2.5 5.5 2.5s5.5-1.1 5.5-2.5v-2.5',
};
export const COPY: Drawing = {
  path: 'M9.5 8.5h8A1.5 1.5 0 0 1 19 10v8.5a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 8 18.5V10a1.5 1.5 0 0 1 1.5-1.5ZM5 15.5V6a1.5 1.5 0 0 1 1.5-1.5h8',
};
export const DISK: Drawing = {
  path: 'M4 6.5c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3Zm0 0v11c0 1.7 3.6 3 8 3s8-1.3 8-3v-11M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
};
export const DOWNLOAD: Drawing = {
  path: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14',
};
export const EXTERNAL: Drawing = {
  path: 'M13.5 4.5h6v6m0-6L11 13M17.5 13.5v4.5a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8A1.5 1.5 0 0 1 6 6.5h4.5',
};
export const EYE: Drawing = {
  path: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.3a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4Z',
};
export const EYE_OFF: Drawing = {
  path: 'M9.7 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.7 3.4M6.3 7.3A16 16 0 0 0 2.5 12S6 18.5 12 18.5c1.8 0 3.4-.6 4.8-1.4M10.1 10.1a2.7 2.7 0 0 0 3.8 3.8M4 4l16 16',
};
export const FILTER: Drawing = {
  path: 'M4 6.5h16M7 12h10m-7 5.5h4',
};
export const FLASK: Drawing = {
  path: 'M9 3.5h6M10 3.5v6l-5.2 9a1.3 1.3 0 0 0 1.2 2h12a1.3 1.3 0 0 0 1.2-2L14 9.5v-6M7.5 15h9',
};
export const GRIP: Drawing = {
  path: 'M5 9.5h14M5 14.5h14',
};
export const HELP: Drawing = {
  path: 'M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM9.7 9.7a2.4 2.4 0 1 1 3.7 2c-.9.6-1.4 1-1.4 2M12 16.4v.1',
};
export const IMAGE: Drawing = {
  path: 'M5 4.5h14A1.5 1.5 0 0 1 20.5 6v12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18V6A1.5 1.5 0 0 1 5 4.5ZM4 17l5-5.5 4 4 2.5-2.5 4.5 4.5M15.5 8.2a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.8Z',
};
export const KEY: Drawing = {
  path: 'M8 11a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM11.2 12.3 19.5 4m-3.5 3.5 2.5 2.5m-5 0 1.5 1.5M7.5 16v.01',
};
export const LAPTOP: Drawing = {
  path: 'M6.5 5.5h11A1.5 1.5 0 0 1 19 7v8.5H5V7a1.5 1.5 0 0 1 1.5-1.5ZM2.5 18.5h19',
};
export const LOCK: Drawing = {
  path: 'M6.5 10.5h11A1.5 1.5 0 0 1 19 12v7a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 19v-7a1.5 1.5 0 0 1 1.5-1.5ZM8 10.5v-3a4 4 0 0 1 8 0v3M12 14.5v2',
};
export const MAIL: Drawing = {
  path: 'M5 5.5h14A1.5 1.5 0 0 1 20.5 7v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17V7A1.5 1.5 0 0 1 5 5.5ZM4 7l8 6 8-6',
};
export const MORE: Drawing = {
  path: 'M12 4.9a.6.6 0 1 1 0 1.2.6.6 0 0 1 0-1.2Zm0 6.5a.6.6 0 1 1 0 1.2.6.6 0 0 1 0-1.2Zm0 6.5a.6.6 0 1 1 0 1.2.6.6 0 0 1 0-1.2Z',
};
export const PAGE: Drawing = {
  path: 'M7 3.5h7l4.5 4.5v11a1.5 1.5 0 0 1-1.5 1.5h-10a1.5 1.5 0 0 1-1.5-1.5v-14A1.5 1.5 0 0 1 7 3.5ZM14 3.5v4.5h4.5M9 12.5h6M9 16h6',
};
export const PENCIL: Drawing = {
  path: 'M4.5 19.5 5.5 15 16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5',
};
export const PHONE: Drawing = {
  path: 'M8.5 3.5h7A1.5 1.5 0 0 1 17 5v14a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19V5a1.5 1.5 0 0 1 1.5-1.5ZM11 17.5h2',
};
export const PIN: Drawing = {
  path: 'M9 4.5h6M10 4.5v5.2L7 13v2h10v-2l-3-3.3V4.5M12 15v5',
};
export const REFRESH: Drawing = {
  path: 'M19.5 12a7.5 7.5 0 0 1-13.6 4.4M4.5 12A7.5 7.5 0 0 1 18.1 7.6M18.5 3.5v4.3h-4.3M5.5 20.5v-4.3h4.3',
};
export const SEND: Drawing = {
  path: 'M4 12 3.5 4.5l17.5 7.5-17.5 7.5zm0 0h8.5',
};
export const SHARE: Drawing = {
  path: 'M12 14.5v-10M8 8l4-4 4 4M7.5 11H6.5A1.5 1.5 0 0 0 5 12.5v6A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5v-6a1.5 1.5 0 0 0-1.5-1.5h-1',
};
export const SPARKLE: Drawing = {
  path: 'M11 4c.8 4.8 2.2 6.2 7 7-4.8.8-6.2 2.2-7 7-.8-4.8-2.2-6.2-7-7 4.8-.8 6.2-2.2 7-7Zm7.5 12v4m-2-2h4',
};
export const STOP: Drawing = {
  path: 'M8 6.5h8A1.5 1.5 0 0 1 17.5 8v8a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 16V8A1.5 1.5 0 0 1 8 6.5Z',
};
export const THUMB_DOWN: Drawing = {
  path: 'M7.5 13.5v-9h9.3a1.5 1.5 0 0 1 1.5 1.2l1.2 6a1.5 1.5 0 0 1-1.5 1.8H14v4a2 2 0 0 1-2 2zM7.5 4.5h-3v9h3',
};
export const THUMB_UP: Drawing = {
  path: 'M7.5 10.5v9h9.3a1.5 1.5 0 0 0 1.5-1.2l1.2-6a1.5 1.5 0 0 0-1.5-1.8H14v-4a2 2 0 0 0-2-2zM7.5 19.5h-3v-9h3',
};
export const TRASH: Drawing = {
  path: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 11.6a1.5 1.5 0 0 0 1.5 1.4h6.4a1.5 1.5 0 0 0 1.5-1.4L17.5 7M10 11v5m4-5v5',
};
export const UPLOAD: Drawing = {
  path: 'M12 15V4m-4.5 4.5L12 4l4.5 4.5M5 19.5h14',
};
export const USER: Drawing = {
  path: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5',
};
