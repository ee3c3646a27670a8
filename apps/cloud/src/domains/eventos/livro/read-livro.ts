import { invalid } from '@vigia/contracts/errors'
import { incidenteLivroSchema, type Livro, type LivroQuery, MAX_DIAS_LIVRO, MAX_LIVRO } from '@vigia/contracts/livro'
import { findIncidentes } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { incidenteFor } from '../eventos/mask-plates.ts'
import { viewIncidente } from '../incidentes/view-incidente.ts'
import { type LivroFilter, listAnswersOf, listHandOvers } from './store.ts'
import { viewHandOver } from './write-hand-over.ts'

const DAY_MS = 86_400_000

/**
 * The answers and hand-overs of a period, at most `MAX_LIVRO` together, the newest.
 * @throws VigiaError `validacao` (period), `nao_encontrado` (Empresa out of scope)
 */
export async function readLivro({ db }: { readonly db: Database }, caller: Caller, query: LivroQuery): Promise<Livro> {
  const desde = Date.parse(query.desde)
  const ate = Date.parse(query.ate)
  if (ate <= desde) throw invalid(['query', 'ate'], 'O fim precisa ser depois do começo')
  if (ate - desde > MAX_DIAS_LIVRO * DAY_MS) throw invalid(['query', 'ate'], `Escolha até ${MAX_DIAS_LIVRO} dias`)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  if (empresas?.length === 0) return { completo: true, respostas: [], passagens: [] }
  // Reads one more than shown, to detect a longer list.
  const filter: LivroFilter = { empresas, cameraId: query.camera_id, desde, ate, limit: MAX_LIVRO + 1 }
  const answers = await listAnswersOf(db, filter)
  const handOvers = filter.cameraId === undefined ? await listHandOvers(db, filter) : []
  const times = [...answers.map(({ atendido_em }) => atendido_em), ...handOvers.map(({ em }) => em)]
  const oldest = times.toSorted((a, b) => b - a)[MAX_LIVRO - 1] ?? desde
  const shown = answers.filter(({ atendido_em }) => atendido_em >= oldest)
  const rows = await findIncidentes(db, [...new Set(shown.map(({ incidente_id }) => incidente_id))])
  const incidentes = new Map(
    rows.map((row) => [row.id, incidenteLivroSchema.parse(incidenteFor(caller, viewIncidente(row)))]),
  )
  return {
    completo: times.length <= MAX_LIVRO,
    respostas: shown.flatMap(({ id, incidente_id, atendido_em, resposta, nota, revisor }) => {
      const incidente = incidentes.get(incidente_id)
      const atendimento = { resposta, nota, revisor, atendido_em: new Date(atendido_em).toISOString() }
      return incidente ? [{ id, atendimento, incidente }] : []
    }),
    passagens: handOvers.filter(({ em }) => em >= oldest).map(viewHandOver),
  }
}
