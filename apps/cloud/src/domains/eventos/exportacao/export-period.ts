import type { PeriodoQuery } from '@vigia/contracts/apagamentos'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { VigiaError } from '@vigia/contracts/errors'
import {
  type ContagemExportacao,
  MAX_BYTES_EXPORTACAO,
  MAX_EVENTOS_EXPORTACAO,
  MAX_PASSAGENS_EXPORTACAO,
} from '@vigia/contracts/exportacao'
import { localTime } from '../../../adapters/senders/local-time.ts'
import type { ZipEntry } from '../../../adapters/zip.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { type Periodo, readPastPeriod } from '../../../http/past-period.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { type ExportDeps, filesOf } from './export.ts'
import { exportedPassages } from './passage-store.ts'
import { countPeriod, listPeriod } from './store.ts'

interface PeriodDeps extends ExportDeps {
  readonly reads: HeavyReads
}

/**
 * Counts what an export of the period brings, and whether one archive can hold it.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao`
 */
export async function countExport(
  deps: PeriodDeps,
  caller: Caller,
  empresaId: number,
  query: PeriodoQuery,
  signal: AbortSignal,
): Promise<ContagemExportacao> {
  const periodo = await readQuery(deps, caller, empresaId, query)
  const { fits, bytes, total, passagens } = await deps.reads.run(caller, signal, (db) => measure(db, periodo))
  const { cut } = fits
  return {
    eventos: total,
    passagens: passagens.total,
    bytes,
    cabe: cut === null,
    corte: cut === null ? null : instant(cut),
  }
}

/**
 * Records the export of a period with its numbers, and returns its files.
 * @throws VigiaError as `countExport`; `conflito`: it is too large for one archive
 */
export async function exportPeriod(
  deps: PeriodDeps,
  caller: Caller,
  empresaId: number,
  query: PeriodoQuery,
  signal: AbortSignal,
): Promise<AsyncGenerator<ZipEntry>> {
  const { db, clock } = deps
  const periodo = await readQuery(deps, caller, empresaId, query)
  const { fits, total, passagens } = await deps.reads.run(caller, signal, (read) => measure(read, periodo))
  if (fits.cut !== null)
    throw tooLarge({ eventos: total, passagens: passagens.total }, await localCut(db, empresaId, fits.cut))
  const { inicio, fim, cameras } = periodo
  const numbers = { eventos: total, passagens: passagens.total }
  const depois = { inicio: instant(inicio), fim: instant(fim), cameras: cameras?.join(', ') ?? 'todas', ...numbers }
  await transact(db, (tx) =>
    auditChange(tx, clock.now(), caller, {
      acao: 'exportar',
      objeto: 'empresa',
      id: empresaId,
      nome: null,
      empresaId,
      antes: null,
      depois,
    }),
  )
  const nome = (fuso: string) => `período de ${localTime(instant(inicio), fuso)} a ${localTime(instant(fim), fuso)}`
  const subject = { nome, arquivo: 'periodo', empresaId, incidente: null } as const
  return filesOf(deps, caller, { ...subject, eventos: fits.ids, passagens: passagens.ids })
}

async function readQuery(
  { db, clock }: ExportDeps,
  caller: Caller,
  empresaId: number,
  query: PeriodoQuery,
): Promise<Periodo> {
  requireWrite(caller)
  await requireEmpresa(db, caller, empresaId)
  return readPastPeriod(empresaId, query, { where: 'query', now: clock.now() })
}

/** `fits`: the first events that one archive holds. `cut`: the time of the next one; null: it holds all of them. */
async function measure(db: Database, periodo: Periodo) {
  const rows = await listPeriod(db, periodo, MAX_EVENTOS_EXPORTACAO + 1)
  const clipes = new Set<number>()
  const ids: number[] = []
  let bytes = 0
  let cut: number | null = null
  for (const { id, ocorrido_em, midia_bytes, clipe_id, tamanho } of rows) {
    const isNew = clipe_id !== null && !clipes.has(clipe_id)
    const more = (midia_bytes ?? 0) + (isNew ? (tamanho ?? 0) : 0)
    if (ids.length === MAX_EVENTOS_EXPORTACAO || bytes + more > MAX_BYTES_EXPORTACAO) {
      cut = ocorrido_em
      break
    }
    if (clipe_id !== null) clipes.add(clipe_id)
    ids.push(id)
    bytes += more
  }
  const passagens = await exportedPassages(db, periodo)
  const total = cut === null ? ids.length : await countPeriod(db, periodo)
  return { fits: { ids, cut: earlier(cut, passagens.cut) }, bytes, total, passagens }
}

const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

const instant = (epochMs: number): string => new Date(epochMs).toISOString()

async function localCut(db: Database, empresaId: number, cut: number): Promise<string> {
  return localTime(instant(cut), (await findEmpresa(db, empresaId))?.fuso_horario ?? FUSO_PADRAO)
}

const tooLarge = ({ eventos, passagens }: { readonly eventos: number; readonly passagens: number }, cut: string) =>
  new VigiaError('conflito', {
    detalhe:
      `O período tem ${eventos} eventos e ${passagens} passagens, e não cabe em um arquivo (até ` +
      `${MAX_EVENTOS_EXPORTACAO} eventos, ${MAX_PASSAGENS_EXPORTACAO} passagens e ` +
      `${MAX_BYTES_EXPORTACAO / 1e9} GB). Exporte até ${cut} e depois a partir daí.`,
  })
