import type { Retencao, UsoRetencao } from '@vigia/contracts/retencao'
import type { Clock } from '../../../adapters/clock.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { effectiveRules, type Regra, ruleOf } from './effective-rules.ts'
import { type Used, usedByClipes, usedByPictures } from './size-store.ts'
import { listRemoved } from './store.ts'

export interface RetencaoDeps {
  readonly db: Database
  readonly reads: HeavyReads
  readonly clock: Clock
  /** The disk of the media; null: not known. */
  readonly measure: () => { readonly free: number } | null
}

const DAY_MS = 86_400_000
const RATE_DAYS = 7
const REMOVED_SHOWN = 50

/** Rules, use and forecast of an Empresa. */
export async function viewRetencao({ db, reads, clock, measure }: RetencaoDeps, empresaId: number): Promise<Retencao> {
  const now = clock.now()
  const since = now - RATE_DAYS * DAY_MS
  const regras = await effectiveRules(db, empresaId)
  const { clipes, imagens, perDay } = await reads.run({ empresaId }, null, async (read) => ({
    clipes: await usedByClipes(read, empresaId, since, now),
    imagens: await usedByPictures(read, empresaId, since, now),
    perDay:
      ((await usedByClipes(read, null, since, now)).since + (await usedByPictures(read, null, since, now)).since) /
      RATE_DAYS,
  }))
  const free = measure()?.free ?? null
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

function forecast({ bytes, dias }: Regra, { all, since, held }: Used): Omit<UsoRetencao, 'tipo'> {
  const perDay = since / RATE_DAYS
  // At this rate the retention in days removes as much as arrives, below the limit.
  const isReached = bytes !== null && perDay * dias + held > bytes
  return {
    bytes: all,
    bytes_por_dia: Math.round(perDay),
    bytes_preservados: held,
    dias_ate_limite: isReached && perDay > 0 ? Math.max(0, Math.floor((bytes - all) / perDay)) : null,
    aviso:
      bytes !== null && held > bytes
        ? 'Os eventos preservados passam do limite. Aumente o limite ou deixe de preservar alguns.'
        : null,
  }
}
