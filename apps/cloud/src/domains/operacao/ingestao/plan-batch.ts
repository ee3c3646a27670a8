import type { Candidato, Confirmacao, Registro } from '@vigia/contracts/candidate'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { BatchItem } from '@vigia/link/batch'
import { recordBytes, type StoredRecord } from '../../../db/media-bytes.ts'
import type { NewEvento } from '../../../db/rows.ts'
import {
  type Counted,
  createCameraSequences,
  gravado,
  type Resultado,
  readable,
  recusado,
  repetido,
} from './camera-sequences.ts'
import {
  type CameraOfEvento,
  cameLate,
  eventRow,
  faultOf,
  filesOf,
  type OwnedFile,
  withoutLargePictures,
} from './candidate-row.ts'
import { createEventoIds } from './evento-ids.ts'
import type { IdBudget } from './id-budget.ts'
import { type PlannedPassagem, passageFaultOf, passageFilesOf } from './passagens/plan-passagem.ts'
import { type ReadBatch, type Span, spanOf } from './read-batch.ts'
import { explain, fill, type Sequence } from './sequence.ts'

/** The stored state before a batch; `store.ts` reads it. */
export interface Known {
  /** Whether the edge is activated. */
  readonly ativado: boolean
  /** Cameras whose events the edge may send, by id. */
  readonly cameras: ReadonlyMap<number, CameraOfEvento>
  /** Sending edge of known events and gap records, by uuid. */
  readonly remetentes: ReadonlyMap<string, number>
  readonly sequencias: ReadonlyMap<number, Counted>
  /** Highest event id given or reserved. */
  readonly ultimoId: number
}

/** The changes of a batch and its answers. */
export interface BatchPlan {
  readonly respostas: Confirmacao[]
  readonly eventos: NewEvento[]
  readonly passagens: PlannedPassagem[]
  readonly midias: OwnedFile[]
  /** Sequences of the cameras that the batch changes. */
  readonly sequencias: ReadonlyMap<number, Counted>
  /** Highest event id given or reserved after the batch. */
  readonly ultimoId: number
  /** Events whose number was already used: a copy of the edge's disk may be in use. */
  readonly numerosUsados: { readonly camera_id: number; readonly seq: number; readonly uuid: string }[]
}

/** Events and records of passages of a plan, with the bytes that they take in the database. */
export const recordsOf = ({ eventos, passagens }: BatchPlan): StoredRecord[] => [
  ...eventos.map((row) => ({ empresaId: row.empresa_id, bytes: recordBytes(row) })),
  ...passagens.map(({ registro, camera }) => ({
    empresaId: camera.empresa_id,
    bytes: recordBytes({ registro: JSON.stringify(registro) }),
  })),
]

interface PlanOptions {
  readonly edgeId: number
  readonly now: number
  readonly ids: IdBudget
  /** Empresas without space for media, each with the reason: their records wait on the edge. */
  readonly waiting: ReadonlyMap<number, string>
}

/** Plans a batch record by record. Changes only `ids`, the budget of event ids reserved for overtaken records. */
export function planBatch(
  { serie, itens }: ReadBatch,
  known: Known,
  { edgeId, now, ids, waiting }: PlanOptions,
): BatchPlan {
  const remetentes = new Map(known.remetentes)
  const eventoIds = createEventoIds(ids, known.ultimoId)
  const sequences = createCameraSequences({ serie, known, now, waiting, eventoIds })
  const plan = {
    respostas: [] as Confirmacao[],
    eventos: [] as NewEvento[],
    passagens: [] as PlannedPassagem[],
    midias: [] as OwnedFile[],
  }
  const numerosUsados: BatchPlan['numerosUsados'] = []
  function storeEvent(
    candidato: Candidato,
    midias: readonly Buffer[],
    camera: CameraOfEvento,
    below: Sequence,
  ): Sequence {
    const { sequence, esperado, atrasado, reservado } = fill(below, candidato.seq)
    const id = eventoIds.take(camera.empresa_id, reservado)
    const retroativo = atrasado || cameLate(candidato, now)
    const files = filesOf(candidato, midias, now)
    const midia_bytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    plan.eventos.push({ ...eventRow(candidato, camera, { id, edgeId, now, retroativo }), midia_bytes })
    plan.midias.push(...files.map((file) => ({ ...file, empresaId: camera.empresa_id })))
    if (!esperado) numerosUsados.push({ camera_id: camera.id, seq: candidato.seq, uuid: candidato.id })
    return sequence
  }

  /** A passage takes no event id; one that was reserved for its number is given back. */
  function storePassage(
    registro: RegistroPassagem,
    midias: readonly Buffer[],
    camera: CameraOfEvento,
    below: Sequence,
  ): Sequence {
    const { sequence, esperado, atrasado, reservado } = fill(below, registro.seq)
    if (reservado !== null) ids.giveBack(camera.empresa_id)
    plan.passagens.push({ registro, camera, retroativo: atrasado || cameLate(registro, now) })
    plan.midias.push(
      ...passageFilesOf(registro, midias, now).map((file) => ({ ...file, empresaId: camera.empresa_id })),
    )
    if (!esperado) numerosUsados.push({ camera_id: camera.id, seq: registro.seq, uuid: registro.id })
    return sequence
  }

  function take(received: BatchItem): Resultado {
    const item = withoutLargePictures(received)
    const { registro, midias } = item
    const uuid = registro.id.toLowerCase()
    const remetente = remetentes.get(uuid)
    if (remetente === edgeId) return repetido
    const span = spanOf(item)
    const reached = sequences.reach(span)
    if ('resultado' in reached) return reached
    const { camera, below } = reached

    const fault = faultIn(item)
    const motivo = remetente === undefined ? fault : 'Este identificador já foi usado.'
    if (motivo !== null) return sequences.refuse(span, below, motivo, timesOf(registro))
    const next = () => {
      if (registro.tipo === 'candidato') return storeEvent(registro, midias, camera, below)
      if (registro.tipo === 'passagem') return storePassage(registro, midias, camera, below)
      return explain(below, span, {
        motivo: registro.motivo,
        uuid,
        ocorridoDe: readable(registro.ocorrido_de),
        ocorridoAte: readable(registro.ocorrido_ate),
        registradaEm: now,
      })
    }
    sequences.put(camera.id, next())
    remetentes.set(uuid, edgeId)
    return gravado
  }

  function takeUnreadable(motivo: string, span: Span | null): Resultado {
    const reached = span === null ? null : sequences.reach(span)
    if (span === null || reached === null) return recusado(motivo)
    return 'resultado' in reached ? reached : sequences.refuse(span, reached.below, motivo, null)
  }

  // An edge that is not activated gets no answer and keeps its records until its next activation.
  for (const item of known.ativado ? itens : []) {
    const id = item.ok ? item.registro.id : item.id
    if (id === null) continue
    const resultado = item.ok ? take(item) : takeUnreadable(`Registro ilegível: ${item.motivo}`, item.span)
    plan.respostas.push({ id, ...resultado })
  }
  return { ...plan, sequencias: sequences.changed, ultimoId: eventoIds.highest(), numerosUsados }
}

function faultIn({ registro, midias }: BatchItem): string | null {
  if (registro.tipo === 'candidato') return faultOf(registro, midias)
  return registro.tipo === 'passagem' ? passageFaultOf(registro, midias) : null
}

const timesOf = (registro: Registro): [number, number] =>
  registro.tipo === 'lacuna'
    ? [registro.ocorrido_de, registro.ocorrido_ate]
    : [registro.ocorrido_em, registro.ocorrido_em]
