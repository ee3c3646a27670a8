import type { Limiares } from '../calibration.ts'
import type { NomeIa } from '../catalogue.ts'
import type { Detection } from '../detection.ts'
import { isCrossing, type Mark, type Occasion, type StopReason } from './occasion.ts'

/** One stored event. */
export interface StoredEvent
  extends Pick<Occasion, 'key' | 'ia' | 'epochMs' | 'confianca' | 'caixas' | 'trajeto' | 'detalhes' | 'calibracao'> {
  /** null: not known. */
  readonly trilha: string | null
}

/** One stored record of a track: how it went on after its event, or why it raised none. */
export interface StoredDiscard {
  readonly key: string
  readonly ia: NomeIa
  /** Epoch ms of the first mark. */
  readonly epochMs: number
  readonly motivo: StopReason
  readonly trilha: string
  /** Track of the first event of the visit. */
  readonly visita: string
  /** ms of the event after the first mark; null: none. */
  readonly disparouMs: number | null
  readonly completo: boolean
  readonly confianca: number
  readonly caixa: Detection
  readonly trajeto: Occasion['trajeto']
  /** ms, confidence, area, and 1 outside the zones. */
  readonly marcas: readonly (readonly [number, number, number, number])[]
  readonly calibracao: Limiares
}

/**
 * Joins the events of a period with the records of their tracks. Records of visits whose event is not in the period are
 * left out.
 */
export function joinOccasions(events: readonly StoredEvent[], discards: readonly StoredDiscard[]): Occasion[] {
  const own = new Map<string, StoredDiscard>()
  for (const discard of discards)
    if (discard.disparouMs !== null) own.set(keyOf(discard, discard.epochMs + discard.disparouMs), discard)

  const visits = new Set<string>()
  const fired = events.map((event): Occasion => {
    const { trilha, ...rest } = event
    const discard = trilha === null ? undefined : own.get(keyOf({ ia: event.ia, trilha }, event.epochMs))
    const known = { ...rest, fired: true, stopped: null, track: trilha }
    if (!discard) return { ...known, visit: null, marks: null, complete: false }
    const visit = visitOf(discard)
    if (visit !== null) visits.add(visit)
    const marks = marksOf(discard, discard.disparouMs ?? 0)
    return { ...known, visit, marks, complete: discard.completo }
  })

  const others = discards
    .filter((discard) => discard.disparouMs === null)
    .filter((discard) => discard.motivo !== 'alertado' || visits.has(visitOf(discard) ?? ''))
    .map(
      (discard): Occasion => ({
        key: discard.key,
        ia: discard.ia,
        fired: false,
        stopped: discard.motivo,
        epochMs: discard.epochMs,
        confianca: discard.confianca,
        caixas: [discard.caixa],
        trajeto: discard.trajeto,
        detalhes: {},
        calibracao: discard.calibracao,
        visit: visitOf(discard),
        track: discard.trilha,
        marks: marksOf(discard, 0),
        complete: discard.completo,
      }),
    )
  return [...fired, ...others]
}

const keyOf = ({ ia, trilha }: Pick<StoredDiscard, 'ia' | 'trilha'>, epochMs: number) => `${ia} ${trilha} ${epochMs}`

/** Each crossing of a line is an event of its own. */
const visitOf = ({ ia, visita }: StoredDiscard): string | null => (isCrossing(ia) ? null : `${ia} ${visita}`)

const marksOf = ({ marcas }: StoredDiscard, shiftMs: number): Mark[] =>
  marcas.map(([ms, confianca, area, outside]) => ({ ms: ms - shiftMs, confianca, area, outside: outside === 1 }))
