import type { Chave } from '@vigia/contracts/chaves'
import { papelOfChave, unpackAlcance } from '../../../db/alcance.ts'
import type { ChaveRow } from '../../../db/rows.ts'

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Never the hash. */
export const viewChave = (row: ChaveRow): Chave => ({
  id: row.id,
  nome: row.nome,
  escopo: row.escopo,
  empresa_id: row.empresa_id,
  alcance: unpackAlcance(row.alcance, papelOfChave(row.escopo)),
  inicio: row.inicio,
  validade: instant(row.validade),
  criada_em: new Date(row.criada_em).toISOString(),
  usada_em: instant(row.usada_em),
})
