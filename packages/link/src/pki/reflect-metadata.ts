/**
 * @peculiar/x509 builds itself with tsyringe, which refuses to load without the three functions of the (never adopted)
 * Reflect metadata proposal. It only asks "are there constructor parameter types?", and there are none. These are the whole
 * of what it needs; a full polyfill that is already there is left alone.
 */
interface MetadataReflect {
  getMetadata?: (key: unknown, target: object) => unknown
  getOwnMetadata?: (key: unknown, target: object) => unknown
  defineMetadata?: (key: unknown, value: unknown, target: object) => void
}

export function installReflectMetadata(): void {
  const reflect = Reflect as typeof Reflect & MetadataReflect
  if (reflect.getMetadata !== undefined) return
  const metadata = new WeakMap<object, Map<unknown, unknown>>()
  const getOwn = (key: unknown, target: object): unknown => metadata.get(target)?.get(key)

  reflect.getOwnMetadata = getOwn
  reflect.getMetadata = (key, target) => {
    for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
      if (metadata.get(at)?.has(key)) return getOwn(key, at)
    }
    return undefined
  }
  reflect.defineMetadata = (key, value, target) => {
    metadata.set(target, (metadata.get(target) ?? new Map()).set(key, value))
  }
}
