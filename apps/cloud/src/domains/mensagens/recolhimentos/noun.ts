import type { Generated } from 'kysely'
import { not, period } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Retained messages that end at the broker of a customer. Canal, cameras and Empresa may be gone. */
interface RecolhimentosTable {
  id: Generated<number>
  empresa_id: number
  canal_id: number
  destino: string
  /** Login of the broker as the canal had it, sealed for the canal; null: it needs none. */
  segredo_cifrado: string | null
  /** Own networks of the Empresa at that time, for the case that it is gone. */
  redes_json: string
  cameras_json: string
  criado_em: number
}

const noRecord = not('an order to a broker; it is no record of an event')

/** Orders to take messages back from brokers. */
export const recolhimentos = defineNoun({
  tables: {
    recolhimentos: table<RecolhimentosTable>()({
      personal: 'address and login of a broker',
      ends: [period('when the broker has confirmed, or 7 days')],
      held: false,
      export: noRecord,
      period: noRecord,
      plate: noRecord,
      login: 'none',
      masks: false,
      readers: 'none',
      shortens: 'nobody',
      bound: 'Messages: orders to take them back',
    }),
  },
})
