import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import { canalFields } from '../../../db/canal-fields.ts'
import type { CanalRow } from '../../../db/rows.ts'
import type { Tally } from './delivery-store.ts'

const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** Returns a canal as the API shows it, without its signing secret. */
export const viewCanal = (row: CanalRow, tally: Tally): CanalNotificacao => ({
  id: row.id,
  ...canalFields(row),
  com_credenciais: row.tipo === 'mqtt' && row.segredo_cifrado !== null,
  entregas: {
    pendentes: tally.pendentes,
    entregues: tally.entregues,
    desistidas: tally.desistidas,
    ultimo_erro: tally.erro,
    ultimo_erro_em: tally.erroEm === null ? null : instant(tally.erroEm),
  },
  criado_em: instant(row.criado_em),
  atualizado_em: instant(row.atualizado_em),
})
