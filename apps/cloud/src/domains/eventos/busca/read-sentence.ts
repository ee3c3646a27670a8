import type { BuscaEventos, BuscaEventosQuery, BuscaIncidentesQuery, ParteEntendida } from '@vigia/contracts/busca'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { clockParts, instantByClock } from '@vigia/contracts/wall-clock'
import { names } from '@vigia/ias/label-names'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import { zoneOf } from '../../../db/zone-of.ts'
import { type Caller, hidesPlatesOf } from '../../../http/caller.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { localTime } from '../relatorios/local-time.ts'
import { understand } from './sentence.ts'
import { listCameraNames } from './store.ts'

type Query = BuscaEventosQuery | BuscaIncidentesQuery

interface Read<T extends Query> {
  /** With the filters of the sentence; those of the query itself are kept. */
  readonly query: T
  readonly entendido: BuscaEventos['entendido']
  /** The sentence names a part of a plate that the words of a record cannot answer: only passages can. */
  readonly nothing: boolean
}

/**
 * Understands `frase` of a query with the cameras in scope, and days in the time zone of `empresa_id`, else of the
 * caller's Empresa.
 * @throws VigiaError `nao_encontrado`
 */
export async function readSentence<T extends Query>(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  query: T,
): Promise<Read<T>> {
  if (query.frase === undefined) return { query, entendido: null, nothing: false }
  const empresas = await narrowScope(db, caller, query.empresa_id)
  const owner = query.empresa_id ?? caller.empresaId
  const fuso = (owner === null ? undefined : await zoneOf(db, owner)) ?? FUSO_PADRAO
  const { partes, resto } = understand(query.frase, {
    hoje: localTime(clock.now(), fuso).dia,
    cameraNames: await listCameraNames(db, empresas),
    plates: seesPlates(caller, query.empresa_id),
  })
  const part = (campo: ParteEntendida['campo']) => partes.find((one) => one.campo === campo)
  const value = (campo: ParteEntendida['campo']) => part(campo)?.valor
  const coisa = value('coisa')
  const placa = value('placa')
  // The words of a record match by their beginning.
  const plateWord = placa?.replace(/\*$/, '')
  const nothing = plateWord?.includes('*') ?? false
  const own = [resto, coisa === undefined ? null : (names[coisa] ?? coisa), nothing ? null : (plateWord ?? null)]
  const texto = [query.texto ?? null, ...own].filter((one) => one !== null).join(' ') || undefined
  const camera = value('camera')
  const understood = {
    camera_id: camera === undefined ? undefined : Number(camera),
    tipo: value('tipo'),
    gravidade: value('gravidade'),
    certeza: value('certeza'),
    nota: value('nota'),
    ...timeOf(query, part('periodo'), part('hora'), fuso),
  }
  const given = Object.entries(query).filter(([, one]) => one !== undefined)
  return {
    query: { ...understood, ...Object.fromEntries(given), texto } as T,
    entendido: { partes: [...partes], texto: texto ?? null },
    nothing,
  }
}

const seesPlates = ({ placasOcultas }: Caller, empresaId: number | undefined): boolean =>
  placasOcultas !== 'tudo' &&
  (empresaId === undefined ? placasOcultas.size === 0 : !hidesPlatesOf({ placasOcultas }, empresaId))

/** The time of the sentence, where the query has none. A night belongs to the day on which it begins. */
function timeOf(
  { desde, ate, hora_de, hora_ate }: Query,
  days: ParteEntendida | undefined,
  hours: ParteEntendida | undefined,
  fuso: string,
) {
  const own = hora_de === undefined && hora_ate === undefined ? hours : undefined
  const [from, to] = own === undefined ? [hora_de, hora_ate] : [own.valor, own.ate ?? undefined]
  const filter = own === undefined ? {} : { hora_de: from, hora_ate: to }
  if (days === undefined || desde !== undefined || ate !== undefined) return filter
  const night = from !== undefined && to !== undefined && from > to
  const oneDay = days.valor === days.ate && own !== undefined
  const clock = new Intl.DateTimeFormat('en', { ...clockParts, timeZone: fuso })
  const at = (day: string, seconds: number) => new Date(instantByClock(day, seconds, clock)).toISOString()
  return {
    // The hours of one day are a period; a list answers it without reading each record.
    ...(oneDay ? {} : filter),
    desde: at(days.valor, night || oneDay ? secondsOf(from) : 0),
    ate: at(days.ate ?? days.valor, night ? DAY_S + secondsOf(to) : oneDay ? secondsOf(to) : DAY_S),
  }
}

const DAY_S = 86_400

/** Seconds after midnight of `HH:MM`. */
function secondsOf(time = '00:00'): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 3_600 + minutes * 60
}
