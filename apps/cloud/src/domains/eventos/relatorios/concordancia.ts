import { type Concordancia, type ConcordanciaQuery, MAX_LINHAS_CONCORDANCIA } from '@vigia/contracts/concordancia'
import { nomesIas } from '@vigia/contracts/ias'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { type ClasseVeredito, certezaOf, decisionOf } from '../../../db/verdict-class.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { requireCamera } from '../../locais/public.ts'
import { countReviewed } from './concordancia-store.ts'
import { readReportPeriod } from './report.ts'
import { cameraNames } from './store.ts'

type Counts = Concordancia['total']
type Column = 'alta' | 'baixa' | 'sem_certeza' | 'refutado'

/**
 * Counts how often reviews agree with the verification, by camera and IA. Only administradores review (decisions,
 * Roles), so that every review counts. Events without a verdict do not count.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao` for a period that is inverted or too long, and those of
 *   heavy reads
 */
export async function readConcordancia(
  { db, reads }: { readonly db: Database; readonly reads: HeavyReads },
  caller: Caller,
  query: ConcordanciaQuery,
  signal: AbortSignal,
): Promise<Concordancia> {
  requireWrite(caller)
  const { desde, ate } = readReportPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  if (query.camera_id !== undefined) await requireCamera(db, caller, query.camera_id)
  const filter = { empresas, cameraId: query.camera_id, desde, ate }
  const total = nothing()
  const rows = new Map<string, { readonly camera_id: number; readonly ia: string; readonly counts: Counts }>()
  const counted = empresas?.length === 0 ? [] : await reads.run(caller, signal, (read) => countReviewed(read, filter))
  for (const { camera_id, tipo, situacao, ...n } of counted) {
    const row = rows.get(`${camera_id}|${tipo}`) ?? { camera_id, ia: tipo, counts: nothing() }
    rows.set(`${camera_id}|${tipo}`, row)
    for (const counts of [row.counts, total]) add(counts, situacao, n)
  }
  const shown = [...rows.values()]
    .filter(({ counts }) => counts.revisados > 0)
    .toSorted((a, b) => b.counts.revisados - a.counts.revisados || a.camera_id - b.camera_id)
    .slice(0, MAX_LINHAS_CONCORDANCIA)
  const names = await cameraNames(db, [...new Set(shown.map(({ camera_id }) => camera_id))])
  return {
    desde: new Date(desde).toISOString(),
    ate: new Date(ate).toISOString(),
    total,
    linhas: shown.flatMap(({ camera_id, ia: name, counts }) => {
      const ia = nomesIas.find((one) => one === name)
      return ia ? [{ camera_id, camera_nome: names.get(camera_id) ?? `Câmera ${camera_id}`, ia, ...counts }] : []
    }),
  }
}

const nothing = (): Counts => ({
  alta: { verdadeiros: 0, falsos: 0 },
  baixa: { verdadeiros: 0, falsos: 0 },
  sem_certeza: { verdadeiros: 0, falsos: 0 },
  refutado: { verdadeiros: 0, falsos: 0 },
  revisados: 0,
  concordam: 0,
})

/** null: no verdict. */
function columnOf(classe: ClasseVeredito): Column | null {
  const decisao = decisionOf(classe)
  if (decisao === 'pendente') return null
  return decisao === 'refutado' ? decisao : (certezaOf(classe) ?? 'sem_certeza')
}

function add(counts: Counts, classe: ClasseVeredito, n: { readonly confirmado: number; readonly refutado: number }) {
  const column = columnOf(classe)
  if (column === null) return
  counts[column].verdadeiros += n.confirmado
  counts[column].falsos += n.refutado
  counts.revisados += n.confirmado + n.refutado
  counts.concordam += column === 'refutado' ? n.refutado : n.confirmado
}
