import { setImmediate } from 'node:timers/promises'
import { invalid } from '@vigia/contracts/errors'
import { type Horarios, janelaOf, type ListaFeriados } from '@vigia/contracts/horarios'
import {
  type AvisoSimulacao,
  SIMULACAO_CANDIDATOS,
  SIMULACAO_DIAS,
  type Simulacao,
  type SimulacaoCreate,
} from '@vigia/contracts/simulacao'
import { mergeCalibration } from '@vigia/ias/calibration'
import { type NomeIa, nomesIas } from '@vigia/ias/catalogue'
import { joinOccasions } from '@vigia/ias/replay/join'
import { isMarked, type Occasion } from '@vigia/ias/replay/occasion'
import { type Outcome, replay } from '@vigia/ias/replay/replay'
import type { Settings } from '@vigia/ias/replay/settings'
import { type Kept, unanswerable } from '@vigia/ias/replay/unanswerable'
import type { Clock } from '../../../adapters/clock.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { cameraFields } from '../../../db/camera-fields.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow } from '../../../db/rows.ts'
import { type Caller, callerKey, requireWrite } from '../../../http/caller.ts'
import { requireCamera } from '../../locais/public.ts'
import { storedDiscard, storedEvent } from './occasion-of.ts'
import { refusalSentence } from './simulation-texts.ts'
import { lastFiredBefore, listCandidatos, listDescartados } from './store.ts'
import { viewSimulacao } from './view-simulacao.ts'

export interface SimulationDeps {
  readonly db: Database
  readonly clock: Clock
  /** Seals the addresses of pictures. */
  readonly box: SecretBox
  readonly limit: RateLimit
}

interface StoredSettings extends Settings {
  readonly listas: readonly ListaFeriados[]
}

const DAY_MS = 86_400_000
/** The record of a track arrives after its end, at the latest this long after its event. */
const ARRIVAL_MS = 600_000

/**
 * Answers which events of a period would have come with other settings. Changes nothing.
 * @throws VigiaError `proibido`, `nao_encontrado`, `muitas_requisicoes`, `validacao` (the stored candidates cannot
 * answer, or are too many).
 */
export async function simulateCalibracao(
  deps: SimulationDeps,
  caller: Caller,
  id: number,
  proposal: SimulacaoCreate,
): Promise<Simulacao> {
  requireWrite(caller)
  const { db, clock, limit } = deps
  const camera = await requireCamera(db, caller, id)
  await limit.consume(callerKey(caller))
  const span = periodOf(proposal, clock.now())
  const period = { cameraId: id, ...span }
  const before = await settingsOf(db, camera)
  const after = proposed(before, proposal)

  const rows = await listCandidatos(db, period, SIMULACAO_CANDIDATOS + 1)
  if (rows.length > SIMULACAO_CANDIDATOS)
    throw invalid(['body', 'desde'], `Há mais de ${SIMULACAO_CANDIDATOS} eventos neste período: escolha um menor.`)
  const discards = await listDescartados(db, period, SIMULACAO_CANDIDATOS)
  const joined = joinOccasions(rows.flatMap(storedEvent), discards.flatMap(storedDiscard))
  const occasions = joined.filter(({ fired, epochMs }) => fired || epochMs >= span.desde)
  const known = discards.length > 0
  const old = occasions.filter(({ epochMs }) => epochMs < span.ate - ARRIVAL_MS)
  const unmarked = old.filter(({ fired, marks }) => fired && marks === null).map(({ ia }) => ia)
  const problem = unanswerable(before, after, { ...span, discards: known, unmarked, highest: highestOf(occasions) })
  if (problem) throw invalid(fieldOf(problem, proposal), refusalSentence(problem))

  const cooldowns = nomesIas.map((ia) => Number(after.calibracao[ia].resfriamento_s ?? 0) * 1000)
  const last = await lastFiredBefore(db, period, span.desde - Math.max(0, ...cooldowns))
  const lastFiredAt = Object.fromEntries(last.map(({ tipo, ultimo }) => [tipo, Number(ultimo)]))
  const outcomes: Outcome[] = []
  // Each IA by itself, so that other requests run in between.
  for (const own of Map.groupBy(occasions, ({ ia }) => ia).values()) {
    await setImmediate()
    outcomes.push(...replay({ occasions: own, before, after, lastFiredAt }))
  }
  await setImmediate()
  const omitted = discards.length === SIMULACAO_CANDIDATOS || discards.some(({ omitidos }) => omitidos > 0)
  const avisos = noticesOf(before, old, { known, omitted })
  return viewSimulacao(deps, period, { rows, discards, outcomes, avisos })
}

/** @throws VigiaError `validacao`: empty, too long or in the future. */
function periodOf({ desde, ate }: SimulacaoCreate, now: number): { readonly desde: number; readonly ate: number } {
  const end = ate === undefined ? now : Date.parse(ate)
  const begin = desde === undefined ? end - DAY_MS : Date.parse(desde)
  if (end > now + DAY_MS) throw invalid(['body', 'ate'], 'O fim do período está no futuro.')
  if (begin >= end) throw invalid(['body', 'desde'], 'O início do período precisa vir antes do fim.')
  if (end - begin > SIMULACAO_DIAS * DAY_MS)
    throw invalid(['body', 'desde'], `Simule no máximo ${SIMULACAO_DIAS} dias de uma vez.`)
  return { desde: begin, ate: end }
}

async function settingsOf(db: Database, row: CameraRow): Promise<StoredSettings> {
  const { eventos_habilitados, config_ia, horarios, zonas, linha } = cameraFields(row)
  const empresa = await findEmpresa(db, row.empresa_id)
  if (!empresa) throw new Error(`camera ${row.id} has no Empresa`)
  const calibracao = mergeCalibration(config_ia)
  const listas: ListaFeriados[] = JSON.parse(empresa.feriados_json)
  const rest = { ias: eventos_habilitados, calibracao, zonas, linha, fusoHorario: empresa.fuso_horario, listas }
  return { ...rest, ...hoursOf(horarios, listas) }
}

/** The armed hours in the form of the rules. A list that does not exist has no dates. */
function hoursOf({ feriados, ...janelas }: Horarios, listas: readonly ListaFeriados[]) {
  const windows = nomesIas.flatMap((nome) => (janelas[nome] ? [[nome, janelas[nome].map(janelaOf)] as const] : []))
  const datas = listas.find(({ nome }) => nome === feriados?.lista)?.datas
  return {
    agenda: Object.fromEntries(windows),
    feriados: feriados && datas ? { datas, dia: feriados.dia } : undefined,
  }
}

const proposed = (before: StoredSettings, proposal: SimulacaoCreate): Settings => ({
  ...before,
  ...(proposal.eventos_habilitados && { ias: proposal.eventos_habilitados }),
  ...(proposal.config_ia && { calibracao: mergeCalibration(proposal.config_ia) }),
  ...(proposal.agenda && { agenda: proposal.agenda }),
  ...(proposal.horarios && hoursOf(proposal.horarios, before.listas)),
  ...(proposal.zonas && { zonas: proposal.zonas }),
  ...(proposal.linha && { linha: proposal.linha }),
})

/** Highest `conf` and `area_min` that an event of the period met. */
function highestOf(occasions: readonly Occasion[]): Kept['highest'] {
  const highest: { [K in NomeIa]?: { conf: number; area_min: number } } = {}
  for (const { ia, calibracao } of occasions) {
    const seen = highest[ia] ?? { conf: 0, area_min: 0 }
    highest[ia] = {
      conf: Math.max(seen.conf, Number(calibracao.conf ?? 0)),
      area_min: Math.max(seen.area_min, Number(calibracao.area_min ?? 0)),
    }
  }
  return highest
}

const fieldOf = (
  { ia, limiar, reason }: NonNullable<ReturnType<typeof unanswerable>>,
  { horarios }: SimulacaoCreate,
) => {
  if (reason === 'ia_nova') return ['body', 'eventos_habilitados']
  if (limiar !== null) return ['body', 'config_ia', ia, limiar]
  return ['body', horarios ? 'horarios' : 'agenda', ia]
}

function noticesOf(
  before: Settings,
  occasions: readonly Occasion[],
  { known, omitted }: { readonly known: boolean; readonly omitted: boolean },
): AvisoSimulacao[] {
  const changed = occasions.some(({ ia, calibracao }) =>
    Object.entries(calibracao).some(([limiar, value]) => before.calibracao[ia][limiar] !== value),
  )
  const missing = occasions.some(({ ia, fired, marks }) => fired && marks === null && isMarked(ia))
  return [
    ...(!known || missing ? (['sem_descartados'] as const) : []),
    ...(omitted ? (['descartados_omitidos'] as const) : []),
    ...(changed ? (['calibracao_mudou'] as const) : []),
  ]
}
