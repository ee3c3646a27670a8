/**
 * The browser's storage, or one that lasts as long as the page where the browser gives none (private mode, blocked by
 * policy): a remembered switch is a comfort, and no reason for the page not to work.
 */
export function createPageStorage(
  kind: 'localStorage' | 'sessionStorage',
): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    const storage = globalThis[kind]
    storage.setItem('vigia.teste', '1')
    storage.removeItem('vigia.teste')
    return storage
  } catch {
    const values = new Map<string, string>()
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    }
  }
}

export type PageStorage = ReturnType<typeof createPageStorage>
