import type { PageStorage } from '../storage.ts'

const KEY = 'vigia.voltar'

/** Stores the current path of this tab for the time after the sign-in. */
export function rememberPath(tab: PageStorage, { pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  if (pathname !== '/login') tab.setItem(KEY, `${pathname}${search}`)
}

/** Returns the path of rememberPath once, if the sign-in has led to the start page; else null. */
export function takePath(tab: PageStorage, pathname: string): string | null {
  if (pathname !== '/') return null
  const path = tab.getItem(KEY)
  tab.removeItem(KEY)
  // Only paths of this origin: `//host` would be another server.
  return path !== null && /^\/(?![/\\])/.test(path) ? path : null
}
