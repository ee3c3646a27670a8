import { VigiaError } from '@vigia/contracts/errors'
import type { Database } from '../../../../db/open.ts'
import type { Caller } from '../../../../http/caller.ts'
import { requireAskedEdge, requireLocalEdge } from '../choose-edge.ts'
import { edgeStatus } from '../edge-status.ts'
import { findLocalEdge, listServingEdges } from '../store.ts'

export interface ProbeTarget {
  /** null: the operator probes without an Empresa. */
  readonly empresaId: number | null
  /** The edge that the caller requested. */
  readonly asked: number | null | undefined
  /** The edge that is known to reach the device's network. */
  readonly usual: number | null
}

/**
 * Chooses the edge that probes a device. Order: the requested edge, the device's usual edge if online, an online edge
 * of the Empresa. The local edge serves Empresas without an activated edge of their own.
 * @throws VigiaError `nao_encontrado`, `validacao` (the requested edge), `conflito` (only the
 * local edge could, and it does not serve this Empresa), `indisponivel` (no edge, or none online).
 */
export async function chooseProbeEdge(
  db: Database,
  caller: Caller,
  { empresaId, asked, usual }: ProbeTarget,
  now: number,
): Promise<number> {
  if (asked != null) return await requireAskedEdge(db, caller, empresaId, asked)
  const serving =
    empresaId === null
      ? [caller.escopo === 'tudo' ? await findLocalEdge(db) : undefined].filter((edge) => !!edge)
      : await listServingEdges(db, empresaId)
  const hasOwn = serving.some(({ local, ativado_em }) => local === 0 && ativado_em !== null)
  const online = serving.filter((edge) => edgeStatus(edge, now) === 'online')
  const usualOne = online.find(({ id }) => id === usual)
  const chosen = usualOne ?? online.find(({ local }) => local === (hasOwn ? 0 : 1))
  if (chosen) return chosen.id
  if (serving.length === 0 && (await findLocalEdge(db))) await requireLocalEdge(db, caller, empresaId)
  throw new VigiaError('indisponivel', {
    detalhe:
      serving.length === 0
        ? 'Nenhuma caixa atende esta Empresa. Cadastre e ative uma caixa na rede do equipamento.'
        : 'A caixa desta rede está sem contato com a central. Confira se ela está ligada, ativada e com internet.',
  })
}
