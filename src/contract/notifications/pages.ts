/** The page with a user's notifications. */
export const NOTIFICATIONS_PAGE = '/settings/notification';
/** The page where a user sets where notifications go. */
export const NOTIFICATION_SETTINGS_PAGE = `${NOTIFICATIONS_PAGE}/settings`;
