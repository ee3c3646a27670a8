import type { Route } from './route.ts'

/**
 * The routes of the features of a domain (`features.ts`). Those of `first` come in this order, which is that of the API
 * reference. The others follow by name.
 */
export function routesOfFeatures<Deps, Name extends string>(
  features: Readonly<Record<Name, (deps: Deps) => Route[]>>,
  first: readonly Name[],
  deps: Deps,
): Route[] {
  const others = (Object.keys(features) as Name[]).filter((name) => !first.includes(name))
  return [...first, ...others].flatMap((name) => features[name](deps))
}
