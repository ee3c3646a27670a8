import type { FalhaGravacao } from '@vigia/contracts/gravacoes'
import type { Generated } from 'kysely'
import type { AboutCamera } from '../../../../db/about-camera.ts'
import { not, own, owner, person } from '../../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../../nouns/define-noun.ts'

/** Parts of recorders' archives that people asked for (domains/video/clipes/gravacoes). */
interface GravacoesTable extends AboutCamera {
  /** Identity of the fetch on the edge, and of the clip with its file. */
  uuid: string
  edge_id: number
  /** True time. */
  inicio: number
  fim: number
  /** `recebida`: the edge has the file, which `clipe_id` describes. */
  estado: 'na_fila' | 'recebendo' | 'recebida' | 'falhou'
  /** 0 to 1. */
  progresso: number
  falha: FalhaGravacao | 'edge_antigo' | 'tempo_esgotado' | null
  clipe_id: number | null
  completa: 0 | 1 | null
  /** RelogioGravador of the contracts. */
  relogio_json: string | null
  /** Answer or failure of the recorder, Causa of the contracts; null: none. */
  causa_json: Generated<string | null>
  /** The first picture is at most this much later, ms; null: its time is known. */
  incerta_ms: Generated<number | null>
  /** Where the edge took the pictures from; null: not ready yet. */
  fonte: Generated<'gravador' | 'caixa' | null>
  /** Name of the login. */
  pedida_por: string
  /** Unique slots that limit the fetches of a login, and from a recorder; null: the fetch has ended. */
  vaga_login: string | null
  vaga_gravador: string | null
  criada_em: number
}

/** Recordings that a person has fetched. */
export const gravacoes = defineNoun({
  chapter: 'Gravadores',
  segments: ['gravacoes'],
  tables: {
    gravacoes: table<GravacoesTable>()({
      personal: 'video of persons; who asked for it',
      ends: [person, owner('empresas')],
      held: false,
      period: own,
      export: not('its file is downloaded on the page of the camera'),
      plate: not('a video does not say which plates it shows; delete its period'),
      login: 'name stays',
      masks: true,
      readers: 'every papel',
      shortens: 'administrador',
      bound: 'Recordings: fetches in progress',
    }),
  },
})
