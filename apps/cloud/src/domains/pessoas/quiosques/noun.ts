import type { PapelQuiosque } from '@vigia/contracts/quiosques'
import type { Generated } from 'kysely'
import { owner, period, setting } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Screens in kiosk mode. */
interface QuiosquesTable {
  id: Generated<number>
  empresa_id: number
  /** Unique in the Empresa, because answers and audit records name the quiosque. */
  nome: string
  papel: PapelQuiosque
  /** Reach as stored by db/alcance.ts; null: the default of the papel. */
  alcance: Generated<string | null>
  /** Username of its creator. */
  criado_por: string
  /** Its creator, whose right it needs; null: of a release before, and nobody signs in as it. */
  usuario_id: Generated<number | null>
  criado_em: number
  expira_em: number
}

/** Screens in kiosk mode. */
export const quiosques = defineNoun({
  chapter: 'Quiosques',
  segments: ['quiosques'],
  tables: {
    quiosques: table<QuiosquesTable>()({
      ...setting('who made a screen'),
      ends: [period('30 days'), owner('usuarios')],
      login: 'deleted',
      bound: 'Access: quiosques',
    }),
  },
})
