import type { Retencao, UsoRetencao } from '@vigia/contracts/retencao'
import type { Clock } from '../../../adapters/clock.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { effectiveRules, type Regra, ruleOf } from './effective-rules.ts'
import { firstArrival, type Used, usedByClipes, usedByPictures } from './size-store.ts'
import { listRemoved } from './store.ts'

export interface RetencaoDeps {
  readonly db: Database
  readonly reads: HeavyReads
  readonly clock: Clock
  /** The disk of the media; null: not known. */
  readonly measure: () => { readonly free: number } | null
}

const DAY_MS = 86_400_000
/** Longest period of an average. */
const RATE_DAYS = 7
/** Shortest period that predicts anything: mornings differ from nights. */
const FORECAST_DAYS = 1
const REMOVED_SHOWN = 50

/** Rules, use and forecast of an Empresa. */
export async function viewRetencao({ db, reads, clock, measure }: RetencaoDeps, empresaId: number): Promise<Retencao> {
  const now = clock.now()
  const regras = await effectiveRules(db, empresaId)
  const since = (days: number): number => now - days * DAY_MS
  const { clipes, imagens, whole } = await reads.run({ empresaId }, null, async (read) => {
    const first = await firstArrival(read, empresaId)
    const ofClipes = daysSeen(now, first, ruleOf(regras, 'clipes').dias)
    const ofImagens = daysSeen(now, first, ruleOf(regras, 'imagens').dias)
    const all = daysSeen(now, await firstArrival(read, null), RATE_DAYS)
    return {
      clipes: { days: ofClipes, used: await usedByClipes(read, empresaId, since(ofClipes), now) },
      imagens: { days: ofImagens, used: await usedByPictures(read, empresaId, since(ofImagens), now) },
      whole: {
        days: all,
        bytes:
          (await usedByClipes(read, null, since(all), now)).since +
          (await usedByPictures(read, null, since(all), now)).since,
      },
    }
  })
  const free = measure()?.free ?? null
  const perDay = whole.days < FORECAST_DAYS ? 0 : whole.bytes / whole.days
  return {
    empresa_id: empresaId,
    regras,
    uso: [
      { tipo: 'imagens', ...forecast(ruleOf(regras, 'imagens'), imagens) },
      { tipo: 'clipes', ...forecast(ruleOf(regras, 'clipes'), clipes) },
    ],
    dias_ate_disco_cheio: free === null || perDay === 0 ? null : Math.floor(free / perDay),
    apagados: (await listRemoved(db, empresaId, REMOVED_SHOWN)).map(({ dia, tipo, quantos, de, ate }) => ({
      dia: instant(dia * DAY_MS).slice(0, 10),
      tipo,
      quantos,
      de: instant(de),
      ate: instant(ate),
    })),
  }
}

const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** Days that an average divides by: those since the first arrival, but no more than the data stay. */
const daysSeen = (now: number, first: number | null, dias: number): number =>
  first === null ? 0 : Math.min(RATE_DAYS, dias, Math.max(0, now - first) / DAY_MS)

interface Seen {
  readonly days: number
  readonly used: Used
}

function forecast({ bytes, dias }: Regra, { days, used: { all, since, held } }: Seen): Omit<UsoRetencao, 'tipo'> {
  const perDay = since / Math.max(FORECAST_DAYS, days)
  // At this rate the retention in days removes as much as arrives, below the limit.
  const isReached = bytes !== null && days >= FORECAST_DAYS && perDay * dias + held > bytes
  return {
    bytes: all,
    bytes_por_dia: Math.round(perDay),
    dias_observados: Math.round(days * 10) / 10,
    bytes_preservados: held,
    dias_ate_limite: isReached && perDay > 0 ? Math.max(0, Math.floor((bytes - all) / perDay)) : null,
    aviso:
      bytes !== null && held > bytes
        ? 'Os eventos preservados passam do limite. Aumente o limite ou deixe de preservar alguns.'
        : null,
  }
}
