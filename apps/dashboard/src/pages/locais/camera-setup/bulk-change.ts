import type { Janela } from '@vigia/contracts/agenda'
import type { Camera } from '@vigia/contracts/cameras'
import { type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { type NomePerfil, perfil } from '@vigia/contracts/perfis'
import { hasPlaca } from '@vigia/contracts/plates-ia'
import { applyPerfil, type IaChange, type IaSettings, iaChanges } from './perfil-changes.ts'

/** One change for many cameras. */
export type BulkAction =
  /** A Perfil of plates applies to the cameras `placas`; another one changes nothing about them. */
  | { readonly kind: 'perfil'; readonly nome: NomePerfil; readonly placas: ReadonlySet<number> }
  /** `ia` null: each enabled IA. `janela` null: always armed. */
  | { readonly kind: 'agenda'; readonly ia: NomeIa | null; readonly janela: Janela | null }
  | { readonly kind: 'ias'; readonly liga: readonly NomeIa[]; readonly desliga: readonly NomeIa[] }

export interface BulkChange {
  readonly camera: Camera
  readonly patch: Partial<IaSettings>
  /** Empty: the camera already is as the action demands. */
  readonly changes: readonly IaChange[]
}

function patchFor(camera: Camera, action: BulkAction): Partial<IaSettings> {
  if (action.kind === 'perfil') {
    const chosen = perfil(action.nome)
    const placas = hasPlaca(chosen.ias) ? action.placas.has(camera.id) : hasPlaca(camera.eventos_habilitados)
    return applyPerfil(camera, chosen, placas)
  }
  if (action.kind === 'ias') {
    const on = (nome: NomeIa) =>
      action.liga.includes(nome) || (camera.eventos_habilitados.includes(nome) && !action.desliga.includes(nome))
    return { eventos_habilitados: nomesIas.filter(on) }
  }
  const { ia, janela } = action
  const changed = ia === null ? camera.eventos_habilitados : [ia]
  const { ...agenda } = camera.agenda
  for (const nome of changed) {
    if (janela === null) delete agenda[nome]
    else agenda[nome] = janela
  }
  return { agenda }
}

/** The change of each camera and its preview. */
export const bulkChanges = (cameras: readonly Camera[], action: BulkAction): readonly BulkChange[] =>
  cameras.map((camera) => {
    const patch = patchFor(camera, action)
    return { camera, patch, changes: iaChanges(camera, patch) }
  })

/** Calls `work` for each item, at most `width` at a time. A failure of one item does not stop the others. */
export async function eachAtMost<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
}
