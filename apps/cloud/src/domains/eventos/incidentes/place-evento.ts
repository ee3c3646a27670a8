import { type Gravidade, gravidades } from '@vigia/contracts/ias'

/** Largest distance between an event and the span of its incidente, ms; for a plate it is the largest span. */
export const MAX_GAP_MS = 120_000
/** Largest span that an event reaches by its time; an event of a known track has no such limit. */
export const MAX_SPAN_MS = 15 * 60_000

/** Silence after which an incidente takes no event by its time, ms. Only an event of its tracks still joins. */
export const joinGapMs = (isOfPlate: boolean): number => (isOfPlate ? MAX_SPAN_MS : MAX_GAP_MS)

/** An incidente of the event's camera. Times are `ocorrido_em`, epoch ms. */
export interface OpenIncidente {
  readonly id: number
  /** Span of the events that are not refuted. */
  readonly inicio: number
  readonly fim: number
  readonly gravidade: Gravidade
  /** IAs of the events that are not refuted. */
  readonly tipos: ReadonlySet<string>
  /** The plate of its events (`plateKeyOf`); null: it holds events of other IAs. */
  readonly placa: string | null
  /** Whether its events are of a walk test. */
  readonly prova: boolean
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
  readonly tipo: string
  readonly ocorrido_em: number
  readonly gravidade: Gravidade
  /** null: no event of a plate. */
  readonly placa: string | null
  readonly prova: boolean
  readonly incerto: boolean
  /** null: an event without a track. */
  readonly trilha: string | null
}

const rank = (gravidade: Gravidade): number => gravidades.indexOf(gravidade)

/**
 * Returns the incidente that takes a new event; null: the event opens one. An incidente of the event's track comes
 * first. Else one near in time takes it that has the same IA, or whose severity the event does not exceed. The gravest
 * one takes it, among equals the newest. A plate never shares an incidente with another plate or another IA, and an
 * event of a walk test none with other events.
 *
 * An answer covers the events before it. An answered incidente therefore takes no event after its end, except of a
 * track that it holds and not above its severity.
 */
export function placeEvento<Incidente extends OpenIncidente>(
  incidentes: readonly Incidente[],
  evento: PlacedEvento,
): Incidente | null {
  const { trilha } = evento
  const ofPlate = incidentes.filter(({ placa, prova }) => placa === evento.placa && prova === evento.prova)
  const ofTrack =
    trilha === null
      ? []
      : ofPlate.filter((each) => each.trilhas.has(trilha) && !(each.atendido && raises(each, evento)))
  const able = ofTrack.length > 0 ? ofTrack : ofPlate.filter((each) => takesByTime(each, evento))
  return able.reduce<Incidente | null>((best, each) => (best === null || comesBefore(each, best) ? each : best), null)
}

const raises = (incidente: OpenIncidente, evento: PlacedEvento): boolean =>
  rank(evento.gravidade) > rank(incidente.gravidade)

function takesByTime(incidente: OpenIncidente, evento: PlacedEvento): boolean {
  const { inicio, fim, refutado, atendido, tipos } = incidente
  if (refutado || distance(incidente, evento) > joinGapMs(evento.placa !== null)) return false
  // An event whose time is not known is near in time only to others of that kind.
  if (incidente.incerto !== evento.incerto) return false
  if (atendido && (evento.ocorrido_em > fim || raises(incidente, evento))) return false
  // A graver event of another IA is an incidente of its own.
  if (!tipos.has(evento.tipo) && raises(incidente, evento)) return false
  return Math.max(fim, evento.ocorrido_em) - Math.min(inicio, evento.ocorrido_em) <= MAX_SPAN_MS
}

const distance = ({ inicio, fim }: OpenIncidente, { ocorrido_em }: PlacedEvento): number =>
  Math.max(0, inicio - ocorrido_em, ocorrido_em - fim)

/** Order of preference; the id decides between equal ones, so that the result does not depend on the order of rows. */
function comesBefore(a: OpenIncidente, b: OpenIncidente): boolean {
  const keys = (each: OpenIncidente) => [rank(each.gravidade), each.fim, each.inicio, each.id]
  const [of, than] = [keys(a), keys(b)]
  const first = of.findIndex((key, i) => key !== than[i])
  return first !== -1 && (of[first] ?? 0) > (than[first] ?? 0)
}
