/** Comparison key of a username: ignores case, width and composition (Unicode NFKC). */
export const usernameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase()
