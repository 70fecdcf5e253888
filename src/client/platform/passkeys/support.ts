/** Whether this browser can use passkeys at this address: the standard needs a domain, so IP addresses have none. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === 'function' && !/^(?:[\d.]+|\[.*\])$/.test(location.hostname);
