import type { Fluxo } from '@vigia/contracts/transmissao'
import { machine, never } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

/** The process that serves a live stream. Rows stay, so that the epoch of a stream only increases. */
interface TransmissoesTable {
  camera_id: number
  fluxo: Fluxo
  /** Id of the process, new at each start. */
  replica: string
  /** Increases with each owner; an upload of an earlier epoch is refused. */
  epoca: number
  /** End of the lease. */
  vence_em: number
}

/** Live streams. */
export const transmissoes = defineNoun({
  tables: {
    transmissoes: table<TransmissoesTable>()({
      ...machine(never('one row of each camera, so that its epoch only grows')),
      bound: ofOne('camera'),
    }),
  },
})
