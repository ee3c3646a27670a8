import type { ColumnType, Generated } from 'kysely'
import { age, owner, part } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

/**
 * The alert stream in order: `evento` for a stored (pending) or refuted event, `alerta` for a confirmed one,
 * `incidente` for a changed incidente. Written in the transaction of the change; SSE replays from this table.
 */
interface AlertasTable {
  /** AUTOINCREMENT. */
  seq: Generated<number>
  /** In an `incidente` line: its cover at that time. */
  evento_id: ColumnType<number, number, never>
  tipo: ColumnType<'evento' | 'alerta' | 'incidente', 'evento' | 'alerta' | 'incidente', never>
  /** Set in `incidente` lines only. */
  incidente_id: ColumnType<number | null, number | null | undefined, never>
  criado_em: ColumnType<number, number, never>
  /** The first two sessions with a stream to which an `alerta` was sent live. Ids are never reused: no foreign key. */
  sessao_id: Generated<number | null>
  outra_sessao_id: Generated<number | null>
}

/** The alert log and its streams. */
export const alertas = defineNoun({
  chapter: 'Tempo real',
  segments: ['sse', 'ws'],
  tables: {
    alertas: table<AlertasTable>()({
      ...part('which event was shown, and to which two sessions', 'eventos'),
      ends: [owner('eventos'), age('alertas')],
      held: false,
      bound: { none: 'a few of each event and answer' },
    }),
  },
})
