import type { CanalAuditoria } from '@vigia/contracts/auditoria'
import type { TipoCanal } from '@vigia/contracts/destinos'
import type { motivosFalta } from '@vigia/contracts/eventos'
import type { Gravidade } from '@vigia/contracts/ias'
import type { Papel } from '@vigia/contracts/usuarios'
import type { ColumnType, Generated } from 'kysely'
import type { AccessTables } from './access-tables.ts'
import type { AjusteTables } from './ajuste-tables.ts'
import type { BuscaTables } from './busca-tables.ts'
import type { CameraTables } from './camera-tables.ts'
import type { ClipeTables } from './clipe-tables.ts'
import type { EspacoTables } from './espaco-tables.ts'
import type { EventoTables } from './evento-tables.ts'
import type { IncidenteTables } from './incidente-tables.ts'
import type { MensagemTables } from './mensagem-tables.ts'
import type { OauthTables } from './oauth-tables.ts'
import type { PassagemTables } from './passagem-tables.ts'
import type { PushTables } from './push-tables.ts'
import type { RelogioTables } from './relogio-tables.ts'
import type { RemetenteTables } from './remetente-tables.ts'
import type { ReplicaTables } from './replica-tables.ts'
import type { RetencaoTables } from './retencao-tables.ts'
import type { VlmTables } from './vlm-tables.ts'
import type { WorkTables } from './work-tables.ts'

/**
 * The cloud's tables. Times are epoch ms (UTC). Columns ending in `_json` hold JSON text. Booleans are 0/1, because
 * SQLite has no boolean type. Ids are integers and never reused.
 */
export interface Tables
  extends OauthTables,
    AccessTables,
    CameraTables,
    WorkTables,
    EspacoTables,
    EventoTables,
    ClipeTables,
    IncidenteTables,
    MensagemTables,
    PassagemTables,
    PushTables,
    RelogioTables,
    RemetenteTables,
    BuscaTables,
    VlmTables,
    RetencaoTables,
    AjusteTables,
    ReplicaTables {
  empresas: EmpresasTable
  usuarios: UsuariosTable
  edges: EdgesTable
  cameras: CamerasTable
  gravadores: GravadoresTable
  canais_notificacao: CanaisNotificacaoTable
  lacunas: LacunasTable
  certificados_edge: CertificadosEdgeTable
  quedas: QuedasTable
  contato_central: ContatoCentralTable
  entregas: EntregasTable
  auditoria: AuditoriaTable
}

type Bool = 0 | 1

interface EmpresasTable {
  id: Generated<number>
  nome: string
  empresa_pai_id: number | null
  fuso_horario: string
  /** Limits as set; a lower limit of an ancestor takes precedence (domains/pessoas/quotas). */
  limite_cameras: number
  limite_gravadores: Generated<number>
  limite_edges: Generated<number>
  limite_usuarios: Generated<number>
  limite_canais: Generated<number>
  limite_agentes: Generated<number>
  limite_chaves: Generated<number>
  /** Bytes of media with those of the Empresas below; null: no limit. */
  limite_bytes: Generated<number | null>
  /** Host name of the account's own dashboard, lower case, unique; null: none. */
  host: Generated<string | null>
  /** 1, 0: set on this Empresa; null: inherited from the parent. */
  exigir_segundo_fator: Generated<Bool | null>
  /** 1: its vigilantes see no plates of vehicles. */
  esconder_placas_vigilante: Generated<Bool>
  /** 1: the local edge of the installation serves it while it has no edge of its own. */
  usa_edge_local: Generated<Bool>
  /** 1: holds only simulated devices, and is deleted as a whole. */
  demonstracao: Generated<Bool>
  /** Private networks (CIDR) that its canais may reach. */
  redes_permitidas_json: Generated<string>
  /** Server of the external verifier that its administrador accepted (host and port); null: none. */
  vlm_servidor: Generated<string | null>
  /** Calls of the external verifier per month; null: the default of the installation. */
  vlm_chamadas_mes: Generated<number | null>
  /** Its removal is under way: the Empresa is in no scope; null: it is not. */
  removida_em: Generated<number | null>
  criada_em: number
}

interface UsuariosTable {
  id: Generated<number>
  /** The username as it was typed at the creation of the login. */
  username: string
  /** NFKC and lower case of `username`, unique: logins differ by more than case, in every database's collation. */
  username_chave: string
  /** argon2id, PHC string. */
  senha_hash: string
  papel: Papel
  empresa_id: number | null
  /** 0: cannot sign in. */
  ativo: Generated<Bool>
  /** TOTP secret (base 32), AES-256-GCM (adapters/secret-box); null: none. */
  segundo_fator_cifrado: Generated<string | null>
  /** 0 with a secret: enrolment is not confirmed yet. */
  segundo_fator_ativo: Generated<Bool>
  /** Time of the start of the enrolment, later of its confirmation. */
  segundo_fator_em: Generated<number | null>
  /** Last time step (RFC 6238) of an accepted code; codes up to it are refused. */
  segundo_fator_passo: Generated<number>
  criado_em: number
}

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

interface CamerasTable {
  id: Generated<number>
  empresa_id: number
  edge_id: number | null
  gravador_id: number | null
  canal: number | null
  nome: string
  /** Whole URL, AES-256-GCM (adapters/secret-box). */
  rtsp_url_cifrada: string
  /** The URL with `****` as the password, for lists without the key. */
  rtsp_url: string
  sub_rtsp_url_cifrada: string | null
  sub_rtsp_url: string | null
  perfil: string | null
  eventos_habilitados_json: string
  config_ia_json: string
  zonas_json: string
  /** Without the unnamed zones at the end. */
  nomes_zonas_json: Generated<string>
  linha_json: string
  mascaras_json: Generated<string>
  /** When the masks were drawn; null: none, or before this was stored and applied. */
  mascara_desde: Generated<number | null>
  /** When the edge first reported these masks as in use; null: not yet. */
  mascara_aplicada_em: Generated<number | null>
  /** Its audio leaves the edge. */
  audio: Generated<Bool>
  /** Its edge records the sub stream. */
  gravacao_continua: Generated<Bool>
  /** Parts of its recordings that the edge deletes (contracts, gravacao-continua.ts). */
  gravacao_apagada_json: Generated<string>
  agenda_json: string
  ativa: Bool
  modo_b_config_json: string | null
  instrucoes_json: string
  /** Last report of the edge for this camera; null: none yet. */
  relato_estado: 'online' | 'conectando' | 'falha' | 'desativada' | null
  relato_motivo: string | null
  relato_complemento: string | null
  relato_em: number | null
  ias_sem_suporte_json: Generated<string>
  ias_indisponiveis_json: Generated<string>
  /** Whether the edge reported the current masks as in use; null: its program does not know masks. */
  relato_mascarada: Generated<Bool | null>
  /** Report of the edge's audio (contracts, audio.ts); null: none, or its program cannot send audio. */
  relato_audio: Generated<string | null>
  /** Report of the edge's recordings (contracts, gravacao-continua.ts); null: none. */
  relato_gravacao_json: Generated<string | null>
  /** Cloud clock. */
  ultimo_frame_em: number | null
  codec: string | null
  resolucao: string | null
  fps: number | null
  /** Mean time between two keyframes. */
  quadro_chave_ms: Generated<number | null>
  taxa_kbps: Generated<number | null>
  /** Maximum bytes of the camera in a desired state (edges/desired-camera.ts); null: not counted yet. */
  desejado_bytes: Generated<number | null>
  criada_em: number
  atualizada_em: number
}

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
  usuario: string
  /** AES-256-GCM (adapters/secret-box). */
  senha_cifrada: string
  num_canais: number
  /** Declared limit of connections; null: unknown. */
  max_conexoes: number | null
  criado_em: number
  atualizado_em: number
}

interface CanaisNotificacaoTable {
  id: Generated<number>
  empresa_id: number
  /** '': none. */
  nome: Generated<string>
  tipo: TipoCanal
  destino: string
  destinatarios_json: string
  ativo: Bool
  camera_id: number | null
  tipos_evento_json: string
  agenda_json: string
  /** 1: also notifies about quedas. */
  avisar_quedas: Generated<Bool>
  gravidade_min: Generated<Gravidade>
  certeza_min: Generated<'baixa' | 'alta'>
  /** 1: one message per incidente. */
  agrupar: Generated<Bool>
  intervalo_s: Generated<number>
  /** Hour of the daily digest in the time zone of the Empresa; null: none. */
  resumo_hora: Generated<number | null>
  politica: Generated<'aguardar' | 'avisar'>
  /** 1: its messages carry plates of vehicles. */
  placas: Generated<Bool>
  /** Signing secret of a webhook (Standard Webhooks, `whsec_…`), AES-256-GCM; null for the other kinds. */
  segredo_cifrado: string | null
  criado_em: number
  atualizado_em: number
}

/** Candidates that will never arrive, or that the edge still has to send (`a_caminho`); contracts, eventos.ts. */
interface LacunasTable {
  id: Generated<number>
  /** The edge's UUID of the gap record; null: the cloud detected the jump. */
  uuid: string | null
  edge_id: number
  camera_id: number
  de_seq: number
  ate_seq: number
  ocorrido_de: number | null
  ocorrido_ate: number | null
  motivo: (typeof motivosFalta)[number]
  registrada_em: number
  /** Event id reserved for number `de_seq`; following numbers have the following ids. */
  id_reservado: Generated<number | null>
  /** Missing numbers from `de_seq` to `ate_seq` in a merged row; null: all. */
  faltam: Generated<number | null>
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

/** Quedas of edges (`camera_id` null) and of cameras. */
/** One row, written by every process of the cloud while it runs. */
interface ContatoCentralTable {
  id: number
  visto_em: number
}

interface QuedasTable {
  id: Generated<number>
  empresa_id: number | null
  edge_id: number | null
  camera_id: number | null
  nome: string
  inicio: number
  /** null: still open. */
  fim: number | null
  motivo: string
}

/** Notifications: one row per message, canal and destination. Work items (`trabalhos`) hold the attempts. */
interface EntregasTable {
  id: Generated<number>
  canal_id: number
  destino: string
  mensagem_id: string
  mensagem_json: string
  /** 1: reports an incidente of a canal with `agrupar`, and may be sent as an item of a summary. */
  resumivel: Generated<Bool>
  /** 1: reports backlog only; waits for the rest of it. */
  atrasada: Generated<Bool>
  /** Delivery whose summary carried this message; null: none. */
  resumo_id: Generated<number | null>
  estado: 'pendente' | 'entregue' | 'desistida'
  criada_em: number
  terminada_em: number | null
  /** Portuguese error of the last failed attempt. */
  erro: string | null
  erro_em: number | null
}

/** The audit log. Append-only: triggers refuse updates and deletions. */
interface AuditoriaTable {
  id: Generated<number>
  em: ColumnType<number, number, never>
  /** The Empresa of the record; null: the installation. */
  empresa_id: ColumnType<number | null, number | null, never>
  /** null: no login (an edge, the program itself, a failed sign-in). */
  usuario_id: ColumnType<number | null, number | null, never>
  username: ColumnType<string | null, string | null, never>
  canal: ColumnType<CanalAuditoria, CanalAuditoria, never>
  /** The agent's name and client id. */
  cliente: ColumnType<string | null, string | null, never>
  endereco: ColumnType<string | null, string | null, never>
  /** Request id, as in the log. */
  pedido: ColumnType<string | null, string | null, never>
  acao: ColumnType<string, string, never>
  objeto: ColumnType<string, string, never>
  objeto_id: ColumnType<number | null, number | null, never>
  objeto_nome: ColumnType<string | null, string | null, never>
  /** The fields that changed, secrets masked. */
  antes_json: ColumnType<string | null, string | null, never>
  depois_json: ColumnType<string | null, string | null, never>
}
