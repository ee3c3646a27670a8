import type { Metricas } from '@vigia/contracts/eventos'
import { gravidades, nomesIas } from '@vigia/contracts/ias'
import type { Database } from '../../../db/open.ts'
import { certezaOf, decisionOf } from '../../../db/verdict-class.ts'
import type { Caller } from '../../../http/caller.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { countClasses, countPassages, countProvaClasses } from './count-store.ts'

/**
 * Returns counts of the events in scope by type, severity and verdict, and of the passages. Events of
 * walk tests are left out. Types without events are
 * omitted; all verdicts are present.
 */
export async function countVisibleEvents(
  { db }: { readonly db: Database },
  caller: Caller,
  query: { readonly camera_id?: number | undefined; readonly empresa_id?: number | undefined },
): Promise<Metricas> {
  const empresas = await narrowScope(db, caller, query.empresa_id)
  const metricas: Metricas = {
    total: 0,
    por_tipo: {},
    por_gravidade: {},
    por_veredito: { confirmado: 0, refutado: 0, pendente: 0 },
    por_certeza: { alta: 0, baixa: 0 },
    revisoes: { total: 0, concordam: 0, discordam: 0 },
    passagens: { total: 0, permitida: 0, bloqueada: 0, desconhecida: 0, sem_placa: 0 },
  }
  if (empresas?.length === 0) return metricas
  for (const { situacao, n } of await countPassages(db, { empresas, cameraId: query.camera_id })) {
    metricas.passagens.total += Number(n)
    metricas.passagens[situacao ?? 'sem_placa'] += Number(n)
  }
  const filter = { empresas, cameraId: query.camera_id }
  const tests = (await countProvaClasses(db, filter)).map((row) => ({ ...row, sign: -1 }))
  const all = (await countClasses(db, filter)).map((row) => ({ ...row, sign: 1 }))
  for (const { sign, ...row } of [...all, ...tests]) {
    const n = sign * Number(row.n)
    metricas.total += n
    const nome = nomesIas.find((known) => known === row.tipo)
    if (nome) metricas.por_tipo[nome] = (metricas.por_tipo[nome] ?? 0) + n
    metricas.por_gravidade[row.gravidade] = (metricas.por_gravidade[row.gravidade] ?? 0) + n
    const decisao = decisionOf(row.situacao)
    const certeza = certezaOf(row.situacao)
    metricas.por_veredito[decisao] += n
    if (certeza !== null) metricas.por_certeza[certeza] += n
    if (decisao === 'pendente') continue
    const reviewed = {
      confirmado: sign * Number(row.revisados_confirmado),
      refutado: sign * Number(row.revisados_refutado),
    }
    const agree = reviewed[decisao]
    const sum = reviewed.confirmado + reviewed.refutado
    metricas.revisoes.total += sum
    metricas.revisoes.concordam += agree
    metricas.revisoes.discordam += sum - agree
  }
  for (const nome of nomesIas) if (metricas.por_tipo[nome] === 0) delete metricas.por_tipo[nome]
  for (const nome of gravidades) if (metricas.por_gravidade[nome] === 0) delete metricas.por_gravidade[nome]
  return metricas
}
