import type { CodecClipe, MotivoSemClipe } from '@vigia/contracts/extras'
import type { Generated } from 'kysely'
import { age, goesWith, machine, owner, part, period, size } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

/** Clips that edges have cut, and files of `gravacoes`. A row is deleted with the last of its events and gravações. */
interface ClipesTable {
  id: Generated<number>
  /** From the edge, unique; makes ingest idempotent. */
  uuid: string
  empresa_id: number
  camera_id: number
  edge_id: number
  /** Edge clock at the first picture. */
  inicio: number
  duracao_ms: number
  codec: CodecClipe
  /** RFC 6381. */
  codecs: string
  largura: number
  altura: number
  /** Bytes and SHA-256 (hex) of the file. */
  tamanho: number
  sha256: string
  /**
   * `na_caixa`: the edge holds the file. `pedido`: its upload was ordered. `guardado`: it lies in the media store.
   * `perdido`: no longer on the edge.
   */
  estado: 'na_caixa' | 'pedido' | 'guardado' | 'perdido'
  /** Why it is `perdido`. `camera_removida`: the edge discards it. Else a reason of the edge. */
  motivo: MotivoSemClipe | 'camera_removida' | null
  /** 0: the upload is not wanted. 1: an event was confirmed. 2: a person asked for it. */
  desejado: 0 | 1 | 2
  /** Time of the last order. */
  pedido_em: number | null
  guardado_em: number | null
  recebido_em: number
  /** Paths relative to the media store; the file exists in state `guardado`. */
  caminho: string
  /** Preview strip; null: none. */
  tira: string | null
  /** End of the last attempt to copy the clip as H.264; null: nobody needed a copy. */
  copia_em: number | null
  /** Bytes and SHA-256 (hex) of the copy; null: there is none. */
  copia_tamanho: number | null
  copia_sha256: string | null
  /** Why the last attempt made no copy. */
  copia_falha: 'sem_codificador' | 'falhou' | null
}

/** The clip of each event, or the reason why it has none. Deleted with the event. */
interface ClipesEventosTable {
  evento_id: number
  /** null: the event has no clip, for `motivo`. */
  clipe_id: number | null
  /** Time of the event after the first picture. */
  deslocamento_ms: number
  /** `prazo`: the retention removed the clip. `espaco`: it went above `limite_bytes`. Else a reason of the edge. */
  motivo: MotivoSemClipe | 'prazo' | 'espaco' | null
}

/** Deleted clips and fetches whose copy an edge may still hold, until the edge answers or the copy has expired. */
interface ClipesADescartarTable {
  uuid: string
  edge_id: number
  empresa_id: number
  desde: number
}

/** Clips of events. */
export const clipes = defineNoun({
  tables: {
    clipes: table<ClipesTable>()({
      personal: 'video of persons',
      ends: [age('clipes'), size('limit of the Empresa'), owner('clipes_eventos')],
      held: true,
      export: goesWith('eventos'),
      period: goesWith('eventos'),
      plate: goesWith('eventos'),
      login: 'none',
      masks: true,
      readers: 'every papel',
      shortens: 'administrador',
      bound: 'Disk: clips, recordings, copies',
    }),
    clipes_eventos: table<ClipesEventosTable>()({
      ...part('which clip shows an event', 'eventos'),
      bound: ofOne('event'),
    }),
    clipes_a_descartar: table<ClipesADescartarTable>()({
      ...machine(period('48 hours, or the answer of the edge')),
      bound: ofOne('deleted clip, for 48 hours'),
    }),
  },
})
