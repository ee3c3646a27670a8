import type { Generated } from 'kysely'
import { machine, never, period, setting } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

type Bool = 0 | 1

interface EdgesTable {
  id: Generated<number>
  nome: string
  empresa_id: number | null
  /** 1: the local edge of an all-in-one installation. */
  local: Bool
  /** SHA-256 of the last activation code, hex. Kept after use, to distinguish a second use from a wrong code. */
  codigo_hash: string | null
  /** SHA-256 of the replaced activation code, to report its replacement. */
  codigo_anterior_hash: Generated<string | null>
  /** null once the code is used. */
  codigo_expira_em: number | null
  ativado_em: number | null
  /** Replica that serves this edge; null: none, or the only cloud. */
  dono: Generated<string | null>
  /** Rises with each change of `dono`. */
  dono_epoca: Generated<number>
  /** Public JWK that seals the stream passwords for this edge. */
  chave_cifra_json: string | null
  /** Version of the desired state; grows with each change for this edge. */
  desejado_versao: Generated<number>
  presente: Generated<Bool>
  visto_em: number | null
  /** Clock of the box minus that of the cloud at its last report, and when, in the time of ages. */
  desvio_central_ms: Generated<number | null>
  desvio_em: Generated<number | null>
  /** Last report as received (contracts, edge-state.ts), without its cameras. */
  relato_json: string | null
  /** Maximum rate of the backlog in kbit/s; null: no limit. */
  limite_reenvio_kbps: Generated<number | null>
  /** Disk budget of continuous recording; null: the default. */
  gravacao_continua_mb: Generated<number | null>
  /** Last and previous program start that reported. */
  instancia: Generated<string | null>
  instancia_anterior: Generated<string | null>
  /** Last time that two programs alternated on this identity; null: never, or resolved by an activation. */
  duplicado_em: Generated<number | null>
  /** Bytes of the newest desired state if it exceeds the packet limit of the link; null: no excess known. */
  desejado_grande_bytes: Generated<number | null>
  /** Time of the last scan of its network, by the cloud's clock; null: never. */
  varrido_em: Generated<number | null>
  criado_em: number
}

/** All certificates issued to edges; those neither expired nor revoked are in force. */
interface CertificadosEdgeTable {
  id: Generated<number>
  edge_id: number
  /** SHA-256 of the DER, hex. */
  sha256: string
  /** Hex; null: issued before serial numbers were stored. */
  serial: string | null
  emitido_em: number
  vence_em: number
  revogado_em: number | null
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

/** Edges, their certificates and their credentials. */
export const edges = defineNoun({
  chapter: 'Edges',
  segments: ['edges', 'pki'],
  quota: { tipo: 'edges', tabela: 'edges' },
  tables: {
    edges: table<EdgesTable>()({ ...setting(null), bound: 'Objects: edges' }),
    certificados_edge: table<CertificadosEdgeTable>()({
      ...machine(never('a serial number is revoked for ever; a few rows of each edge')),
      bound: 'Edges: certificates',
    }),
    credenciais_edge: table<CredenciaisEdgeTable>()({
      ...machine(period('its end')),
      bound: 'Disk: unfinished uploads of clips',
    }),
  },
  withoutEffect: {
    'POST /api/v1/edges/{id}/varredura': 'looks at a network',
  },
})
