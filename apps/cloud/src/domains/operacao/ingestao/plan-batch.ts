import type { Candidato, Confirmacao, Registro } from '@vigia/contracts/candidate'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { BatchItem } from '@vigia/link/batch'
import type { NewEvento } from '../../../db/rows.ts'
import { SPACE_WAIT_S } from '../../../scope/media-space.ts'
import {
  type CameraOfEvento,
  cameLate,
  eventRow,
  faultOf,
  filesOf,
  MAX_INSTANTE,
  type OwnedFile,
  withoutLargePictures,
} from './candidate-row.ts'
import type { IdBudget } from './id-budget.ts'
import { type PlannedPassagem, passageFaultOf, passageFilesOf } from './passagens/plan-passagem.ts'
import { type ReadBatch, type Span, spanOf } from './read-batch.ts'
import {
  accountBelow,
  explain,
  fill,
  isSettled,
  type Reserved,
  restart,
  type Sequence,
  splitsWait,
  waits,
} from './sequence.ts'

/** A camera's sequence and the outbox that numbers it; null: not known yet. */
export type Counted = Sequence & { readonly serie: string | null }

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

interface Reached {
  readonly camera: CameraOfEvento
  readonly below: Sequence
}
type Resultado = Pick<Confirmacao, 'resultado' | 'motivo' | 'espere_s'>
const gravado: Resultado = { resultado: 'gravado', motivo: null }
const repetido: Resultado = { resultado: 'repetido', motivo: null }
const foraDeOrdem: Resultado = { resultado: 'fora_de_ordem', motivo: null }
/** The edge keeps the record and sends it again later. An older edge knows this answer, and repeats sooner. */
const espere = (motivo: string): Resultado => ({ ...foraDeOrdem, motivo, espere_s: SPACE_WAIT_S })
const recusado = (motivo: string): Resultado => ({ resultado: 'recusado', motivo })

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
  const sequencias = new Map<number, Counted>()
  const plan = {
    respostas: [] as Confirmacao[],
    eventos: [] as NewEvento[],
    passagens: [] as PlannedPassagem[],
    midias: [] as OwnedFile[],
  }
  const numerosUsados: BatchPlan['numerosUsados'] = []
  let { ultimoId } = known

  const reserveFor =
    (empresaId: number) =>
    (n: number, before: number): Reserved => {
      const count = ids.take(empresaId, Math.min(n, Math.max(0, MAX_RESERVED_PER_CAMERA - before)))
      ultimoId += count
      return { first: ultimoId - count + 1, count }
    }

  function storeEvent(
    candidato: Candidato,
    midias: readonly Buffer[],
    camera: CameraOfEvento,
    below: Sequence,
  ): Sequence {
    const { sequence, esperado, atrasado, reservado } = fill(below, candidato.seq)
    if (reservado === null) ultimoId += 1
    else ids.giveBack(camera.empresa_id)
    const id = reservado ?? ultimoId
    const retroativo = atrasado || cameLate(candidato, now)
    plan.eventos.push(eventRow(candidato, camera, { id, edgeId, now, retroativo }))
    plan.midias.push(...filesOf(candidato, midias, now).map((file) => ({ ...file, empresaId: camera.empresa_id })))
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

  /**
   * Returns the camera's sequence below the numbers of `span`, or the answer if nothing can be stored there now.
   */
  function reach({ camera_id, de, ate, base, desde }: Span): Reached | Resultado {
    const camera = known.cameras.get(camera_id)
    if (camera === undefined) return recusado('A câmera foi removida ou não é atendida por este edge.')
    const motivo = waiting.get(camera.empresa_id)
    if (motivo !== undefined) return espere(motivo)
    if (ate < de) return recusado('A lacuna termina antes de começar.')
    const before = sequencias.get(camera_id) ?? known.sequencias.get(camera_id) ?? emptySequence
    // The edge's outbox begins at the latest with the record that it sends.
    const lowest = Math.min(base, de)
    const sequence = before.serie === null || before.serie === serie ? before : restart(before, lowest, now)
    if (!isSettled(sequence, { de: Math.max(desde, lowest), ate: de - 1 })) return foraDeOrdem
    // Each reconnection may add one overtaken run. At the limit, live records wait for the backlog.
    const overtakes = Math.max(sequence.ultimo + 1, lowest) < de
    if ((overtakes || splitsWait(sequence, de)) && waits(sequence) >= MAX_WAITS) return foraDeOrdem
    const below = accountBelow(sequence, { de, base: lowest, now }, reserveFor(camera.empresa_id))
    return { camera, below }
  }

  /** Records the numbers of a refused record, so that the sequence continues without a jump. */
  function refuse(span: Span, below: Sequence, motivo: string, times: readonly [number, number] | null): Resultado {
    const [ocorridoDe, ocorridoAte] = times === null ? [null, null] : [readable(times[0]), readable(times[1])]
    const why = { motivo: 'recusado', uuid: null, ocorridoDe, ocorridoAte, registradaEm: now } as const
    sequencias.set(span.camera_id, { ...explain(below, span, why), serie })
    return recusado(motivo)
  }

  function take(received: BatchItem): Resultado {
    const item = withoutLargePictures(received)
    const { registro, midias } = item
    const uuid = registro.id.toLowerCase()
    const remetente = remetentes.get(uuid)
    if (remetente === edgeId) return repetido
    const span = spanOf(item)
    const reached = reach(span)
    if ('resultado' in reached) return reached
    const { camera, below } = reached

    const fault = faultIn(item)
    const motivo = remetente === undefined ? fault : 'Este identificador já foi usado.'
    if (motivo !== null) return refuse(span, below, motivo, timesOf(registro))
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
    sequencias.set(camera.id, { ...next(), serie })
    remetentes.set(uuid, edgeId)
    return gravado
  }

  function takeUnreadable(motivo: string, span: Span | null): Resultado {
    const reached = span === null ? null : reach(span)
    if (span === null || reached === null) return recusado(motivo)
    return 'resultado' in reached ? reached : refuse(span, reached.below, motivo, null)
  }

  // An edge that is not activated gets no answer and keeps its records until its next activation.
  for (const item of known.ativado ? itens : []) {
    const id = item.ok ? item.registro.id : item.id
    if (id === null) continue
    const resultado = item.ok ? take(item) : takeUnreadable(`Registro ilegível: ${item.motivo}`, item.span)
    plan.respostas.push({ id, ...resultado })
  }
  return { ...plan, sequencias, ultimoId, numerosUsados }
}

/**
 * Limit of expected runs of one camera. Each batch reads all of them, and an edge could otherwise create any number.
 */
const MAX_WAITS = 256

/**
 * Limit of event ids reserved for one camera of one edge: a week of outage with an event every minute. The oldest
 * events of a longer backlog get their ids on arrival, above the live events that overtook them. Live events never wait
 * for ids.
 */
const MAX_RESERVED_PER_CAMERA = 10_000

const emptySequence: Counted = { ultimo: 0, lacunas: [], serie: null }

function faultIn({ registro, midias }: BatchItem): string | null {
  if (registro.tipo === 'candidato') return faultOf(registro, midias)
  return registro.tipo === 'passagem' ? passageFaultOf(registro, midias) : null
}

const timesOf = (registro: Registro): [number, number] =>
  registro.tipo === 'lacuna'
    ? [registro.ocorrido_de, registro.ocorrido_ate]
    : [registro.ocorrido_em, registro.ocorrido_em]

const readable = (epochMs: number): number | null => (epochMs > MAX_INSTANTE ? null : epochMs)
