import type { CodecClipe, MotivoSemClipe } from '@vigia/contracts/extras'
import type { FalhaGravacao } from '@vigia/contracts/gravacoes'
import type { Fluxo } from '@vigia/contracts/transmissao'
import type { Generated } from 'kysely'

/** Tables of clips, and of the uploads and streams of edges. Times are epoch ms (UTC), as in tables.ts. */
export interface ClipeTables {
  clipes: ClipesTable
  clipes_eventos: ClipesEventosTable
  gravacoes: GravacoesTable
  clipes_a_descartar: ClipesADescartarTable
  credenciais_edge: CredenciaisEdgeTable
  transmissoes: TransmissoesTable
}

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

/** Parts of recorders' archives that people asked for (domains/video/clipes/gravacoes). */
interface GravacoesTable {
  id: Generated<number>
  /** Identity of the fetch on the edge, and of the clip with its file. */
  uuid: string
  empresa_id: number
  camera_id: number
  camera_nome: string
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
  /** Where the edge took the pictures from; null: not ready yet. */
  fonte: Generated<'gravador' | 'caixa' | null>
  /** Name of the login. */
  pedida_por: string
  /** Unique slots that limit the fetches of a login, and from a recorder; null: the fetch has ended. */
  vaga_login: string | null
  vaga_gravador: string | null
  criada_em: number
}

/** Deleted clips and fetches whose copy an edge may still hold, until the edge answers or the copy has expired. */
interface ClipesADescartarTable {
  uuid: string
  edge_id: number
  empresa_id: number
  desde: number
}

/** Tokens of edges (domains/locais/edges/edge-credentials.ts). */
interface CredenciaisEdgeTable {
  /** SHA-256, hex. */
  hash: string
  edge_id: number
  finalidade: 'clipe' | 'transmissao'
  alvo: string
  vence_em: number
  /** Time at which the upload ended; null: it has not. */
  usada_em: number | null
}

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
