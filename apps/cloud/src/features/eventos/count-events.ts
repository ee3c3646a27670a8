import type { Metricas } from '@vigia/contracts/eventos'
import { nomesIas } from '@vigia/contracts/ias'
import type { Database } from '../../db/open.ts'
import { type Caller, narrowScope } from '../../http/caller.ts'
import { countByKind } from './store.ts'

/** Counts of the events in scope by type, severity and verdict. Kinds without an event are left out, verdicts are not. */
export async function countVisibleEvents(
  { db }: { readonly db: Database },
  caller: Caller,
  query: { readonly camera_id?: number | undefined; readonly empresa_id?: number | undefined },
): Promise<Metricas> {
  const empresas = narrowScope(caller, query.empresa_id)
  const metricas: Metricas = {
    total: 0,
    por_tipo: {},
    por_gravidade: {},
    por_veredito: { confirmado: 0, refutado: 0, pendente: 0 },
    revisoes: { total: 0, concordam: 0, discordam: 0 },
  }
  for (const { tipo, gravidade, veredito_decisao, n } of await countByKind(db, {
    empresas,
    cameraId: query.camera_id,
  })) {
    metricas.total += n
    const nome = nomesIas.find((known) => known === tipo)
    if (nome) metricas.por_tipo[nome] = (metricas.por_tipo[nome] ?? 0) + n
    metricas.por_gravidade[gravidade] = (metricas.por_gravidade[gravidade] ?? 0) + n
    metricas.por_veredito[veredito_decisao ?? 'pendente'] += n
  }
  return metricas
}
