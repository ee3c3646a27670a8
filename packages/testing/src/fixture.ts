import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

/** Closed by the first of both that it has. */
type Made = object & { stop?(): unknown; close?(): unknown }

/**
 * The object that `make` creates before the first test of the surrounding `describe` or file. Its members can be read
 * from then on, also by the `make` of a later fixture. After the last test, `stop` or `close` of the object is called,
 * the newest fixture first. The object must not be an instance of a class with private fields.
 */
export function fixture<T extends Made>(make: () => T | Promise<T>): T {
  const { object, open, close } = delegate(make)
  beforeAll(open)
  afterAll(close)
  return object
}

/** Like `fixture`, but created anew before each test and closed after it. */
export function freshFixture<T extends Made>(make: () => T | Promise<T>): T {
  const { object, open, close } = delegate(make)
  beforeEach(open)
  afterEach(close)
  return object
}

/** An object whose members are those of the newest object of `make`. */
function delegate<T extends Made>(make: () => T | Promise<T>) {
  let made: T | undefined
  const current = (): T => {
    if (made === undefined) throw new Error('a fixture is used before the first test')
    return made
  }
  const object = new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  })
  return {
    object,
    open: async () => {
      made = await make()
    },
    close: async () => {
      const last = made
      made = undefined
      if (last?.stop) await last.stop()
      else await last?.close?.()
    },
  }
}
