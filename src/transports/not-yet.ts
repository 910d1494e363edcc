/** What systemd has pam_nologin say to all but root. */
export const notYetText = /System is (?:booting up|going down)/;

export const notYetHint = 'it lets only root in until it has booted; ConnectionAttempts says how often to try again';
