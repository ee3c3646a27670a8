/** What makes two usernames the same: letters alike in all but case, width or composition (Unicode NFKC). */
export const usernameKey = (username: string): string => username.trim().normalize('NFKC').toLowerCase()
