import type { Camera } from '@vigia/contracts/cameras'
import { compareNames } from '../../../texts/locale.ts'

/** Cameras of one site: of one caixa of one Empresa. */
export interface CameraGroup {
  readonly key: string
  /** Empresa and caixa, as far as the list has several. null: a list with one group. */
  readonly nome: string | null
  readonly cameras: readonly Camera[]
}

interface Names {
  /** null: not known. */
  empresa(id: number): string | null
  edge(id: number): string | null
}

/** Groups the cameras by Empresa and caixa, both by name. Within a group they keep their order. */
export function groupCameras(cameras: readonly Camera[], names: Names): readonly CameraGroup[] {
  const empresas = Map.groupBy(cameras, ({ empresa_id }) => empresa_id)
  const byName = (nameOf: (id: number) => string | null) => (a: number, b: number) =>
    compareNames(nameOf(a) ?? '', nameOf(b) ?? '') || a - b
  return [...empresas.keys()].toSorted(byName(names.empresa)).flatMap((empresaId) => {
    const sites = Map.groupBy(empresas.get(empresaId) ?? [], ({ edge_id }) => edge_id ?? 0)
    return [...sites.keys()].toSorted(byName(names.edge)).map((edgeId) => {
      const parts = [empresas.size > 1 && names.empresa(empresaId), sites.size > 1 && names.edge(edgeId)]
      return {
        key: `${empresaId}-${edgeId}`,
        nome: empresas.size > 1 || sites.size > 1 ? parts.filter(Boolean).join(' · ') : null,
        cameras: sites.get(edgeId) ?? [],
      }
    })
  })
}
