import type { Generated } from 'kysely'
import { setting } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

interface GravadoresTable {
  id: Generated<number>
  empresa_id: number
  /** The edge in the gravador's network; null: any edge of the Empresa. */
  edge_id: number | null
  nome: string
  fabricante: string
  /** Only of `generico`. */
  url_template: string | null
  sub_url_template: string | null
  /** Normalized, so that one gravador is one row: canonical addresses, lower-case names. */
  host: string
  porta: number
  /** Only of `onvif`: port of RTSP in place of the reported one; null: that one. */
  porta_rtsp: number | null
  /** Only of `onvif`: a login contains the password itself. */
  senha_em_texto: Generated<0 | 1>
  /** Only of `onvif`: the device refused a request for a keyframe, or its login, since its address changed. */
  sem_sincronia: Generated<0 | 1>
  usuario: string
  /** AES-256-GCM (adapters/secret-box). */
  senha_cifrada: string
  num_canais: number
  /** Declared limit of connections; null: unknown. */
  max_conexoes: number | null
  criado_em: number
  atualizado_em: number
}

/** Recorders. */
export const gravadores = defineNoun({
  chapter: 'Gravadores',
  segments: ['gravadores'],
  quota: { tipo: 'gravadores', tabela: 'gravadores' },
  tables: {
    gravadores: table<GravadoresTable>()({ ...setting(null), bound: 'Objects: gravadores' }),
  },
  withoutEffect: {
    'DELETE /api/v1/gravadores/{gravador_id}': 'refused while it has cameras: only the address of a device ends',
  },
})
