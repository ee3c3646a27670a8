import { ownPath } from '../api/base-path.ts'
import type { PageStorage } from '../base/storage.ts'

const KEY = 'vigia.voltar'

/** Stores the current path of this tab for the time after the sign-in. */
export function rememberPath(tab: PageStorage, { pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  if (ownPath(pathname) !== '/login') tab.setItem(KEY, `${pathname}${search}`)
}

/** Returns the path of rememberPath once, if the sign-in has led to the start page; else null. */
export function takePath(tab: PageStorage, pathname: string): string | null {
  if (ownPath(pathname) !== '/') return null
  const path = tab.getItem(KEY)
  tab.removeItem(KEY)
  return path !== null && isOwnPath(path) ? path : null
}

/** Any host shows whether a text is a path: `//host`, and `/\t/host` without its tab (WHATWG URL), replace it. */
const ANY_ORIGIN = 'https://painel.invalid'

const isOwnPath = (path: string): boolean => path.startsWith('/') && URL.parse(path, ANY_ORIGIN)?.origin === ANY_ORIGIN
