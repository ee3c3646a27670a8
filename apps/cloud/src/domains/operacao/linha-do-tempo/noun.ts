import type { Generated } from 'kysely'
import { fixed, not } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/** Times in which a person had an alert stream open. */
interface PresencasTable {
  id: Generated<number>
  /** Empresa of the person; null: the operator, who sees every Empresa. */
  empresa_id: number | null
  /** 1: also sees the Empresas below. */
  abaixo: 0 | 1
  inicio: number
  /** Written again while it lasts. */
  fim: number
}

/** Timeline, with the times at which somebody watched. */
export const linhaDoTempo = defineNoun({
  chapter: 'Relatórios',
  segments: ['linha-do-tempo'],
  tables: {
    presencas: table<PresencasTable>()({
      personal: 'when somebody of an Empresa watched, without a name',
      ends: [fixed('presencas')],
      held: false,
      export: not('it names nobody'),
      period: not('it shows when nobody watched'),
      plate: not('no plate'),
      login: 'none',
      masks: false,
      readers: 'administrador',
      shortens: 'nobody',
      bound: { none: 'one of each Empresa and time in which somebody watches' },
    }),
  },
})
