import { VigiaError } from '@vigia/contracts/errors'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { requireAskedEdge } from '../choose-edge.ts'
import { edgeStatus } from '../edge-status.ts'
import { findLocalEdge, listServingEdges } from '../store.ts'

export interface ProbeTarget {
  /** null: the operator asks for nobody in particular. */
  readonly empresaId: number | null
  /** The edge that the caller named. */
  readonly asked: number | null | undefined
  /** The edge that is known to stand in the device's network. */
  readonly usual: number | null
}

/**
 * The edge that probes: the one asked for, else of those that are online the device's usual one, else one of the Empresa's
 * own; the local edge where the Empresa has none of its own at work.
 * @throws VigiaError `nao_encontrado`, `validacao` (the edge asked for), `indisponivel` (none, or none online).
 */
export async function chooseProbeEdge(
  db: Database,
  caller: Caller,
  { empresaId, asked, usual }: ProbeTarget,
  now: number,
): Promise<number> {
  if (asked != null) return await requireAskedEdge(db, caller, empresaId, asked)
  const serving =
    empresaId === null ? [await findLocalEdge(db)].filter((edge) => !!edge) : await listServingEdges(db, empresaId)
  const hasOwn = serving.some(({ local, ativado_em }) => local === 0 && ativado_em !== null)
  const online = serving.filter((edge) => edgeStatus(edge, now) === 'online')
  const usualOne = online.find(({ id }) => id === usual)
  const chosen = usualOne ?? online.find(({ local }) => local === (hasOwn ? 0 : 1))
  if (chosen) return chosen.id
  throw new VigiaError('indisponivel', {
    detalhe:
      serving.length === 0
        ? 'Nenhum edge atende esta Empresa. Cadastre e ative um edge na rede do equipamento.'
        : 'O edge desta rede está sem contato com a central. Confira se ele está ligado, ativado e com internet.',
  })
}
