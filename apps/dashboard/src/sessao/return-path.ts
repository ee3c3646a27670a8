import type { PageStorage } from '../storage.ts'

const KEY = 'vigia.voltar'

/** Keeps where the person was in this tab, for after the sign-in. */
export function rememberPath(tab: PageStorage, { pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  if (pathname !== '/login') tab.setItem(KEY, `${pathname}${search}`)
}

/** The path kept by rememberPath, once, when the sign-in has just led to the start page; else null. */
export function takePath(tab: PageStorage, pathname: string): string | null {
  if (pathname !== '/') return null
  const path = tab.getItem(KEY)
  tab.removeItem(KEY)
  // Only a path of this page: `//host` would be another server.
  return path !== null && /^\/(?![/\\])/.test(path) ? path : null
}
