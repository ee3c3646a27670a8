import type { CanalAuditoria } from '@vigia/contracts/auditoria'
import type { motivosFalta } from '@vigia/contracts/eventos'
import type { ColumnType, Generated } from 'kysely'
import type { AccessTables } from './access-tables.ts'
import type { OauthTables } from './oauth-tables.ts'
import type { WorkTables } from './work-tables.ts'

/**
 * The cloud's tables. Times are epoch ms (UTC); columns ending in `_json` hold JSON text; booleans are 0/1, as SQLite has
 * no boolean type. Ids are integers that are never used again.
 */
export interface Tables extends OauthTables, AccessTables, WorkTables {
  empresas: EmpresasTable
  usuarios: UsuariosTable
  sessoes: SessoesTable
  edges: EdgesTable
  cameras: CamerasTable
  gravadores: GravadoresTable
  canais_notificacao: CanaisNotificacaoTable
  eventos: EventosTable
  contador_eventos: ContadorEventosTable
  reservas_de_ids: ReservasDeIdsTable
  contagens_eventos: ContagensEventosTable
  midias_a_apagar: MidiasAApagarTable
  sequencias: SequenciasTable
  lacunas: LacunasTable
  certificados_edge: CertificadosEdgeTable
  quedas: QuedasTable
  entregas: EntregasTable
  alertas: AlertasTable
  auditoria: AuditoriaTable
}

type Bool = 0 | 1

interface EmpresasTable {
  id: Generated<number>
  nome: string
  empresa_pai_id: number | null
  fuso_horario: string
  /** Limits as they were set; one of an Empresa above may be lower, and then holds (features/quotas). */
  limite_cameras: number
  limite_gravadores: Generated<number>
  limite_edges: Generated<number>
  limite_usuarios: Generated<number>
  limite_canais: Generated<number>
  limite_agentes: Generated<number>
  limite_chaves: Generated<number>
  /** Host name of the account's own dashboard, lower case, unique; null: none. */
  host: Generated<string | null>
  /** 1, 0: said of this Empresa; null: as the Empresa above. */
  exigir_segundo_fator: Generated<Bool | null>
  criada_em: number
}

interface UsuariosTable {
  id: Generated<number>
  /** As typed by the person who created the login. */
  username: string
  /** NFKC and lower case of `username`, unique: logins differ by more than case, in every database's collation. */
  username_chave: string
  /** argon2id, PHC string. */
  senha_hash: string
  papel: 'administrador' | 'usuario'
  empresa_id: number | null
  /** 0: cannot sign in. */
  ativo: Generated<Bool>
  /** TOTP secret (base 32), AES-256-GCM (adapters/secret-box); null: none. */
  segundo_fator_cifrado: Generated<string | null>
  /** 0 with a secret: enrolment has begun and is not confirmed yet. */
  segundo_fator_ativo: Generated<Bool>
  /** Begin of the enrolment, then its confirmation. */
  segundo_fator_em: Generated<number | null>
  /** Last time step (RFC 6238) of which a code was taken: none up to it is taken again. */
  segundo_fator_passo: Generated<number>
  criado_em: number
}

interface SessoesTable {
  /** SHA-256 of the token, hex: the token itself is stored nowhere. */
  token_hash: string
  usuario_id: number
  expira_em: number
  /** Host name that issued it, without a port; null: not known. */
  host: Generated<string | null>
}

interface EdgesTable {
  id: Generated<number>
  nome: string
  empresa_id: number | null
  /** 1: the local edge of an all-in-one installation. */
  local: Bool
  /** SHA-256 of the last activation code, hex; kept after its use, so that a second use is told from a wrong code. */
  codigo_hash: string | null
  /** The same of the code that the last one replaced: whoever types it is told so. */
  codigo_anterior_hash: Generated<string | null>
  /** null once the code is used. */
  codigo_expira_em: number | null
  ativado_em: number | null
  /** Public JWK to which the recorder passwords of this edge's cameras are sealed. */
  chave_cifra_json: string | null
  /** Version of the desired state; grows with every change that concerns this edge. */
  desejado_versao: Generated<number>
  presente: Generated<Bool>
  visto_em: number | null
  /** Last report as received (contracts, edge-state.ts), without its cameras. */
  relato_json: string | null
  /** Largest rate at which it sends what waited, kbit/s; null: no limit. */
  limite_reenvio_kbps: Generated<number | null>
  /** Which start of the edge's program reported last, and the one before it. */
  instancia: Generated<string | null>
  instancia_anterior: Generated<string | null>
  /** When two boxes were last seen to use this identity in turns; null: never, or settled by a new activation. */
  duplicado_em: Generated<number | null>
  /** Size of the newest desired state when it is too large for the link (its packet); null: it fits, or is not known to. */
  desejado_grande_bytes: Generated<number | null>
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
  /** The same with `****` for the password, to list without the key. */
  rtsp_url: string
  sub_rtsp_url_cifrada: string | null
  sub_rtsp_url: string | null
  perfil: string | null
  eventos_habilitados_json: string
  config_ia_json: string
  zonas_json: string
  linha_json: string
  agenda_json: string
  ativa: Bool
  modo_b_config_json: string | null
  instrucoes_json: string
  /** What the edge last reported of it; null: nothing yet. */
  relato_estado: 'online' | 'conectando' | 'falha' | 'desativada' | null
  relato_motivo: string | null
  relato_complemento: string | null
  relato_em: number | null
  ias_sem_suporte_json: Generated<string>
  ias_indisponiveis_json: Generated<string>
  /** Cloud clock. */
  ultimo_frame_em: number | null
  codec: string | null
  resolucao: string | null
  fps: number | null
  /** Bytes that the camera takes in a desired state at most (edges/desired-camera.ts); null: not counted yet. */
  desejado_bytes: Generated<number | null>
  criada_em: number
  atualizada_em: number
}

interface GravadoresTable {
  id: Generated<number>
  empresa_id: number
  /** The edge in the recorder's network; null: whichever serves the Empresa. */
  edge_id: number | null
  nome: string
  fabricante: string
  /** Only of `generico`. */
  url_template: string | null
  sub_url_template: string | null
  /** In one spelling, so that one recorder is one row: addresses canonical, names in lower case. */
  host: string
  porta: number
  usuario: string
  /** AES-256-GCM (adapters/secret-box). */
  senha_cifrada: string
  num_canais: number
  criado_em: number
  atualizado_em: number
}

interface CanaisNotificacaoTable {
  id: Generated<number>
  empresa_id: number
  tipo: 'webhook' | 'whatsapp' | 'email'
  destino: string
  destinatarios_json: string
  ativo: Bool
  camera_id: number | null
  tipos_evento_json: string
  agenda_json: string
  /** 1: tells of outages as well. */
  avisar_quedas: Generated<Bool>
  /** Signing secret of a webhook (Standard Webhooks, `whsec_…`), AES-256-GCM; null for the other kinds. */
  segredo_cifrado: string | null
  criado_em: number
  atualizado_em: number
}

interface EventosTable {
  /** Out of `contador_eventos`: grows in the order of arrival and with the sequence of each camera, never used again. */
  id: Generated<number>
  /** The edge's UUIDv7, unique: what makes ingest idempotent. */
  uuid: string
  empresa_id: number
  /** No foreign key: the event outlives its camera. */
  camera_id: number
  camera_nome: string
  edge_id: number
  seq: number
  tipo: string
  gravidade: 'baixa' | 'media' | 'alta' | 'critica'
  ocorrido_em: number
  recebido_em: number
  relogio_json: string
  confianca: number
  rotulos_json: string
  caixas_json: string
  zona: number | null
  /** Paths relative to the media store. */
  crop_path: string | null
  quadro_path: string | null
  calibracao_json: string
  instrucoes_json: string
  modelo: string
  detalhes_json: string
  /** The way of the object; apart from `detalhes_json` since lists do not show it. null: not known. */
  trajeto_json: string | null
  /** 1: it had waited on the box for the link. */
  retroativo: Generated<Bool>
  veredito_decisao: 'confirmado' | 'refutado' | null
  veredito_confianca: number | null
  veredito_motivo: string | null
  veredito_fonte: string | null
  verificado_em: number | null
  revisao_rotulo: 'confirmado' | 'refutado' | null
  revisao_revisor: string | null
  revisado_em: number | null
}

/** One row, whose lock makes ingest transactions commit in the order of their event ids. */
interface ContadorEventosTable {
  id: ColumnType<number, number, never>
  /** Highest event id that was given or reserved. */
  ultimo: number
}

/** Event ids reserved and not used, of an edge and of the whole tree of an Empresa (`dono_id`: its root): id-budget.ts. */
interface ReservasDeIdsTable {
  dono: 'edge' | 'empresa'
  dono_id: number
  /** When the debt will be paid off. */
  livre_em: number
}

/**
 * How many events there are of each class (`tipo`, `gravidade`, verdict): of a camera, of an Empresa (`camera_id` 0) and of
 * the installation (both 0). Kept in the transactions that change events; a class without an event has no row.
 */
interface ContagensEventosTable {
  /** Length of the period in days: 1, 32, or 0 for all time. */
  dias: 0 | 1 | 32
  camera_id: number
  empresa_id: number
  /** Number of the period by `ocorrido_em` since 1970-01-01 UTC; 0 for all time. */
  periodo: number
  tipo: string
  gravidade: EventosTable['gravidade']
  /** The verdict, or that there is none yet. */
  situacao: 'pendente' | 'confirmado' | 'refutado'
  n: number
  /** How many of them a person labelled so. */
  revisados_confirmado: number
  revisados_refutado: number
  /** The ids lie between these two; the bounds may be wider than need be. */
  menor_id: number
  maior_id: number
}

/** Files of the media store that no row points to, or that were begun for a review which may never have been recorded. */
interface MidiasAApagarTable {
  caminho: string
  /** 1: it goes. 0: the review that writes it still has its say. */
  apagando: Bool
}

/** The highest sequence number seen of each camera of each edge: a jump is a gap. */
interface SequenciasTable {
  edge_id: number
  camera_id: number
  ultimo_seq: number
  /** The outbox that counts (contracts, candidate.ts); null: not known yet. */
  serie: Generated<string | null>
}

/** Candidates that will never come, or that the edge still has to send (`a_caminho`); contracts, eventos.ts. */
interface LacunasTable {
  id: Generated<number>
  /** The edge's UUID of the gap record; null when the cloud saw the jump itself. */
  uuid: string | null
  edge_id: number
  camera_id: number
  de_seq: number
  ate_seq: number
  ocorrido_de: number | null
  ocorrido_ate: number | null
  motivo: (typeof motivosFalta)[number]
  registrada_em: number
  /** Id that the event with number `de_seq` gets when it comes, and so on upwards: ids of one camera follow its sequence. */
  id_reservado: Generated<number | null>
  /** How many numbers from `de_seq` to `ate_seq` are missing, in a row that several gaps were merged into; null: all. */
  faltam: Generated<number | null>
}

/** Every certificate that was issued to an edge: those with neither end nor revocation behind them are in force. */
interface CertificadosEdgeTable {
  id: Generated<number>
  edge_id: number
  /** Of the DER, hex. */
  sha256: string
  /** Hex; null: issued before it was kept. */
  serial: string | null
  emitido_em: number
  vence_em: number
  revogado_em: number | null
}

/** Outages of edges (`camera_id` null) and of cameras. */
interface QuedasTable {
  id: Generated<number>
  empresa_id: number | null
  edge_id: number | null
  camera_id: number | null
  nome: string
  inicio: number
  /** null: it goes on. */
  fim: number | null
  motivo: string
}

/** Record of each notification: one row for each message, channel and destination. Its tries are work items (`trabalhos`). */
interface EntregasTable {
  id: Generated<number>
  canal_id: number
  destino: string
  mensagem_id: string
  mensagem_json: string
  estado: 'pendente' | 'entregue' | 'desistida'
  criada_em: number
  terminada_em: number | null
  /** Of the last try that failed; Portuguese. */
  erro: string | null
  erro_em: number | null
}

/**
 * The order in which events became visible on the alert stream: `evento` when one was stored (pending) or refuted,
 * `alerta` when it was confirmed. Written in the transaction that makes it so; SSE replays from here.
 */
interface AlertasTable {
  /** AUTOINCREMENT. */
  seq: Generated<number>
  evento_id: ColumnType<number, number, never>
  tipo: ColumnType<'evento' | 'alerta', 'evento' | 'alerta', never>
  criado_em: ColumnType<number, number, never>
}

/** Who changed what. Rows are only added: the database itself refuses anything else. */
interface AuditoriaTable {
  id: Generated<number>
  em: ColumnType<number, number, never>
  /** The Empresa whose record it is; null: the installation's. */
  empresa_id: ColumnType<number | null, number | null, never>
  /** null: no login did it (a box, the program itself, somebody who could not sign in). */
  usuario_id: ColumnType<number | null, number | null, never>
  username: ColumnType<string | null, string | null, never>
  canal: ColumnType<CanalAuditoria, CanalAuditoria, never>
  /** The agent's name and client id. */
  cliente: ColumnType<string | null, string | null, never>
  endereco: ColumnType<string | null, string | null, never>
  /** Id of the request, as in the log. */
  pedido: ColumnType<string | null, string | null, never>
  acao: ColumnType<string, string, never>
  objeto: ColumnType<string, string, never>
  objeto_id: ColumnType<number | null, number | null, never>
  objeto_nome: ColumnType<string | null, string | null, never>
  /** The fields that changed, secrets masked. */
  antes_json: ColumnType<string | null, string | null, never>
  depois_json: ColumnType<string | null, string | null, never>
}
