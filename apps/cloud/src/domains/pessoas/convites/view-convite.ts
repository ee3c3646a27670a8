import type { Convite } from '@vigia/contracts/convites'
import { unpackAlcance } from '../../../db/alcance.ts'
import type { ConviteRow } from '../../../db/rows.ts'

/** Never the hash of the token. */
export const viewConvite = (row: ConviteRow): Convite => ({
  id: row.id,
  papel: row.papel,
  empresa_id: row.empresa_id,
  alcance: unpackAlcance(row.alcance, row.papel),
  para: row.para,
  criado_por: row.criado_por,
  criado_em: new Date(row.criado_em).toISOString(),
  expira_em: new Date(row.expira_em).toISOString(),
})
