import type { Services } from '../../session/services.ts'

/** Chosen Empresas that the browser remembers for one login, newest first. */
const MOST_RECENT = 5
const MOST_FAVOURITES = 100

/** `loginId` null: a quiosque. */
const keyOf = (kind: 'favoritas' | 'recentes', loginId: number | null) => `vigia.empresas.${kind}.${loginId ?? 'tela'}`

const readIds = (settings: Services['settings'], key: string): readonly number[] =>
  (settings.getItem(key) ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)

export interface RememberedEmpresas {
  readonly favoritas: readonly number[]
  readonly recentes: readonly number[]
}

export const rememberedEmpresas = (settings: Services['settings'], loginId: number | null): RememberedEmpresas => ({
  favoritas: readIds(settings, keyOf('favoritas', loginId)),
  recentes: readIds(settings, keyOf('recentes', loginId)),
})

export function rememberChoice(settings: Services['settings'], loginId: number | null, id: number): void {
  const key = keyOf('recentes', loginId)
  const others = readIds(settings, key).filter((one) => one !== id)
  settings.setItem(key, [id, ...others].slice(0, MOST_RECENT).join())
}

/** Marks an Empresa as a favourite, or takes the mark away. */
export function toggleFavourite(settings: Services['settings'], loginId: number | null, id: number): void {
  const key = keyOf('favoritas', loginId)
  const known = readIds(settings, key)
  const next = known.includes(id) ? known.filter((one) => one !== id) : [...known, id]
  settings.setItem(key, next.slice(-MOST_FAVOURITES).join())
}

interface Named {
  readonly id: number
  readonly nome: string
}

/** Favourites by name, then the recent ones, then the others by name; each of the first two with its mark. */
export function orderEmpresas<E extends Named>(
  empresas: readonly E[],
  { favoritas, recentes }: RememberedEmpresas,
  byName: (a: Named, b: Named) => number,
): readonly (Named & { readonly marca: 'favorita' | 'recente' | null })[] {
  const marked = empresas.toSorted(byName).map(({ id, nome }) => {
    const marca = favoritas.includes(id) ? ('favorita' as const) : recentes.includes(id) ? ('recente' as const) : null
    return { id, nome, marca }
  })
  const recent = marked.filter(({ marca }) => marca === 'recente')
  return [
    ...marked.filter(({ marca }) => marca === 'favorita'),
    ...recent.toSorted((a, b) => recentes.indexOf(a.id) - recentes.indexOf(b.id)),
    ...marked.filter(({ marca }) => marca === null),
  ]
}
