/** `6.291 kB`, as a person reads it; rounded up, so that what is above a limit is never shown as the limit. */
export const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000).toLocaleString('pt-BR')} kB`
