import type { Quiosque } from '@vigia/contracts/quiosques'
import { unpackAlcance } from '../../../db/alcance.ts'
import type { ListedQuiosque } from './store.ts'

const instant = (ms: number): string => new Date(ms).toISOString()

export const viewQuiosque = (row: ListedQuiosque): Quiosque => ({
  id: row.id,
  nome: row.nome,
  papel: row.papel,
  empresa_id: row.empresa_id,
  alcance: unpackAlcance(row.alcance, row.papel),
  criado_por: row.criado_por,
  criado_em: instant(row.criado_em),
  visto_em: row.visto_em === null ? null : instant(row.visto_em),
  expira_em: instant(row.expira_em),
})
