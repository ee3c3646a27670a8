import {
  type Retencao,
  type RetencaoPatch,
  regrasRetencao,
  type TipoRetencao,
  tiposRetencao,
} from '@vigia/contracts/retencao'
import type { Database } from '../../../db/open.ts'
import { listRules } from './store.ts'

export type Regra = Retencao['regras'][number]

/**
 * The rules of an Empresa: for each value the nearest one of the Empresa and its ancestors, else the default.
 * @param change the rules as if it were saved
 */
export async function effectiveRules(db: Database, empresaId: number, change: RetencaoPatch = {}): Promise<Regra[]> {
  const rows = await listRules(db, empresaId)
  return tiposRetencao.map((tipo) => {
    const above = rows.filter((row) => row.tipo === tipo && row.empresa_id !== empresaId)
    const saved = rows.find((row) => row.tipo === tipo && row.empresa_id === empresaId)
    const sent: { dias?: number | null | undefined; bytes?: number | null | undefined } = change[tipo] ?? {}
    const { dias = saved?.dias ?? null, bytes = saved?.bytes ?? null } = sent
    const own = { dias, bytes }
    const chain = [own, ...above]
    return {
      tipo,
      dias: chain.find(({ dias }) => dias !== null)?.dias ?? regrasRetencao[tipo].padrao,
      dias_proprio: own.dias,
      bytes: chain.find(({ bytes }) => bytes !== null)?.bytes ?? null,
      bytes_proprio: own.bytes,
    }
  })
}

export function ruleOf(regras: readonly Regra[], tipo: TipoRetencao): Regra {
  const found = regras.find((regra) => regra.tipo === tipo)
  if (!found) throw new Error(`no rule for ${tipo}`)
  return found
}
