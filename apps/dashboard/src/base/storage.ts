/**
 * Returns the browser's storage, or a fallback in memory if the browser refuses storage (private mode, policy). The
 * page works without stored settings.
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
