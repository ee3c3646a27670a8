import { type Gravidade, gravidades } from '@vigia/contracts/ias'

/** Largest distance between an event and the span of its incidente, ms. */
export const MAX_GAP_MS = 120_000
/** Largest span that an event reaches by its time; an event of a known track has no such limit. */
export const MAX_SPAN_MS = 15 * 60_000

/** An incidente of the event's camera. Times are `ocorrido_em`, epoch ms. */
export interface OpenIncidente {
  readonly id: number
  /** Span of the events that are not refuted. */
  readonly inicio: number
  readonly fim: number
  readonly gravidade: Gravidade
  /** Whether all its events are refuted: it has no span, and takes only events of its tracks. */
  readonly refutado: boolean
  /** Whether a person has answered it. */
  readonly atendido: boolean
  /** Whether the times of its events are only bounded. */
  readonly incerto: boolean
  /** Tracks of its events. */
  readonly trilhas: ReadonlySet<string>
}

export interface PlacedEvento {
  readonly ocorrido_em: number
  readonly gravidade: Gravidade
  readonly incerto: boolean
  /** null: an event without a track. */
  readonly trilha: string | null
}

const rank = (gravidade: Gravidade): number => gravidades.indexOf(gravidade)

/**
 * Returns the incidente that takes a new event; null: the event opens one. An incidente of the event's track comes
 * first, else the nearest one in time, else the later one.
 *
 * An answer covers the events before it. An answered incidente therefore takes no event after its end, except of a
 * track that it holds and not above its severity.
 */
export function placeEvento<Incidente extends OpenIncidente>(
  incidentes: readonly Incidente[],
  evento: PlacedEvento,
): Incidente | null {
  const { trilha } = evento
  const ofTrack =
    trilha === null
      ? []
      : incidentes.filter((each) => each.trilhas.has(trilha) && !(each.atendido && raises(each, evento)))
  const able = ofTrack.length > 0 ? ofTrack : incidentes.filter((each) => takesByTime(each, evento))
  return able.reduce<Incidente | null>(
    (best, each) => (best === null || comesBefore(each, best, evento) ? each : best),
    null,
  )
}

const raises = (incidente: OpenIncidente, evento: PlacedEvento): boolean =>
  rank(evento.gravidade) > rank(incidente.gravidade)

function takesByTime(incidente: OpenIncidente, evento: PlacedEvento): boolean {
  const { inicio, fim, refutado, atendido } = incidente
  if (refutado || distance(incidente, evento) > MAX_GAP_MS) return false
  // An event whose time is not known is near in time only to others of that kind.
  if (incidente.incerto !== evento.incerto) return false
  if (atendido && (evento.ocorrido_em > fim || raises(incidente, evento))) return false
  return Math.max(fim, evento.ocorrido_em) - Math.min(inicio, evento.ocorrido_em) <= MAX_SPAN_MS
}

const distance = ({ inicio, fim }: OpenIncidente, { ocorrido_em }: PlacedEvento): number =>
  Math.max(0, inicio - ocorrido_em, ocorrido_em - fim)

/** Order of preference; the id decides between equal spans, so that the result does not depend on the order of rows. */
function comesBefore(a: OpenIncidente, b: OpenIncidente, evento: PlacedEvento): boolean {
  const keys = (each: OpenIncidente) => [-distance(each, evento), each.inicio, each.id]
  const [of, than] = [keys(a), keys(b)]
  const first = of.findIndex((key, i) => key !== than[i])
  return first !== -1 && (of[first] ?? 0) > (than[first] ?? 0)
}
