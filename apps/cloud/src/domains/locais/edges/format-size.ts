/** Formats a size: `6.291 kB`. Rounds up, so that a size above a limit never equals the limit on the screen. */
export const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000).toLocaleString('pt-BR')} kB`
