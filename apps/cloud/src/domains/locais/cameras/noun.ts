import type { AlcanceProva, DesfechoProva, PassoProva } from '@vigia/contracts/provas'
import type { Generated } from 'kysely'
import type { AboutCamera } from '../../../db/about-camera.ts'
import { machine, never, not, owner, setting, size, stays } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

type Bool = 0 | 1

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
  /** A person said that it watches without a zone. */
  imagem_inteira: Generated<Bool>
  mascaras_json: Generated<string>
  /** When the masks were drawn; null: none, or before this was stored and applied. */
  mascara_desde: Generated<number | null>
  /** When the edge first reported these masks as in use; null: not yet. */
  mascara_aplicada_em: Generated<number | null>
  /** Its audio leaves the edge. */
  audio: Generated<Bool>
  /** How its video travels to the edge (contracts, transporte.ts). */
  transporte: Generated<string>
  /** Its edge records the sub stream. */
  gravacao_continua: Generated<Bool>
  /** Parts of its recordings that the edge deletes (contracts, gravacao-continua.ts). */
  gravacao_apagada_json: Generated<string>
  agenda_json: string
  /** Windows beyond `agenda_json`, and holidays (db/camera-fields.ts). */
  horarios_json: Generated<string>
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
  /** How the edge reads the stream; null: not reported. */
  relato_leitura: Generated<string | null>
  /** `Perdas` (contracts/transporte.ts); null: not over UDP, or an older edge. */
  relato_perdas_json: Generated<string | null>
  /** The connection ends with this period, seconds; null: not regularly, or not reported. */
  relato_periodo_s: Generated<number | null>
  /** Connections that its device accepts of the edge, as learned; null: not reported. */
  relato_conexoes: Generated<number | null>
  /** `Causa` (contracts/causa.ts) of a sub stream that the main stream replaces; null: none, or not reported. */
  relato_secundario_json: Generated<string | null>
  /** Report of the edge's recordings (contracts, gravacao-continua.ts); null: none. */
  relato_gravacao_json: Generated<string | null>
  /** Cloud clock. */
  ultimo_frame_em: number | null
  codec: string | null
  resolucao: string | null
  fps: number | null
  /** Mean time between two keyframes. */
  quadro_chave_ms: Generated<number | null>
  /** Time since the last keyframe at the last report; null: unknown, or the camera was not read. */
  sem_quadro_chave_ms: Generated<number | null>
  taxa_kbps: Generated<number | null>
  /** Maximum bytes of the camera in a desired state (edges/desired-camera.ts); null: not counted yet. */
  desejado_bytes: Generated<number | null>
  criada_em: number
  atualizada_em: number
}

/** Records of walk tests; never changed, and kept when the camera is removed. */
interface ProvasTable extends AboutCamera {
  inicio: number
  fim: number
  aprovada: 0 | 1
  alcance: AlcanceProva
  nota: string | null
  /** Name of the login or of the key at that time. */
  feita_por: string
  rotulos_json: string
  zonas_json: string
  tela_ms: number | null
  eventos_json: string
  configuracao_json: string
  /** null: an earlier release, or a client that does not send `encerrada_s`. */
  desfecho: Generated<DesfechoProva | null>
  passo_falho: Generated<PassoProva | null>
}

/** Times of walk tests, which mark the events of their camera. */
interface JanelasProvaTable {
  id: Generated<number>
  camera_id: number
  inicio: number
  /** The latest end, until the test has ended. */
  fim: number
}

/** One row per camera that was moved at least once; deleted with the camera. */
interface PtzTable {
  camera_id: number
  /** The last person who moved it (`callerKey`), and the name at that time. Nobody else moves it until `vence_em`. */
  quem: string
  por: string
  vence_em: number
  /** The edge reported that the camera is away from its home position. */
  fora: 0 | 1
}

/** Silenced cameras; a row whose `ate` has passed has no effect. */
interface SilenciosTable {
  camera_id: number
  desde: number
  ate: number
  /** Name of the login or API key. */
  por_username: string
  /** null: an API key. */
  por_usuario_id: number | null
}

/** Bias of one camera and IA with its inputs (packages/ias, review-bias.ts). */
interface AjustesTable {
  /** No foreign key: events outlive their camera, and so does a review of them. */
  camera_id: number
  ia: string
  /** Logit that verdicts add to their score; 0: none. */
  ajuste: number
  revisoes: number
  verdadeiros: number
  /** Sums of p and of p(1 - p), with p the probability that the verification gave without a bias. */
  esperados: number
  variancia: number
  /** Only later reviews count; null: all. */
  desde: number | null
  calculado_em: number
}

/** Cameras, with their walk tests and their movements. */
export const cameras = defineNoun({
  chapter: 'Câmeras',
  segments: ['cameras', 'cameras-count', 'miniaturas'],
  quota: { tipo: 'cameras', tabela: 'cameras' },
  tables: {
    cameras: table<CamerasTable>()({
      ...setting('lists of plates; who may be seen is decided by masks'),
      plate: stays('na configuração de câmeras (Placa): tire a placa da câmera.'),
      readers: 'every papel',
      bound: 'Cameras: settings (geometry, agenda, masks, plates, addresses)',
    }),
    provas: table<ProvasTable>()({
      personal: 'who walked in front of a camera and when',
      ends: [owner('empresas'), size('1,000 of a camera')],
      held: false,
      export: not('a record of a test of the site'),
      period: not('a record of a test of the site'),
      plate: not('no plate'),
      login: 'name stays',
      masks: false,
      readers: 'administrador',
      shortens: 'nobody',
      bound: 'Cameras: records of walk tests',
    }),
    janelas_prova: table<JanelasProvaTable>()({
      ...machine(owner('cameras'), size('20 of a camera')),
      bound: 'Cameras: times of walk tests',
    }),
    ptz: table<PtzTable>()({
      ...setting('who moved a camera last'),
      ends: [owner('cameras')],
      login: 'name stays',
      bound: ofOne('camera'),
    }),
    silencios: table<SilenciosTable>()({
      ...setting('who silenced a camera'),
      login: 'name stays',
      ends: [owner('cameras')],
      bound: ofOne('camera'),
    }),
    ajustes: table<AjustesTable>()({
      ...machine(never('a few numbers of each camera and IA; ids of cameras are never reused')),
      bound: ofOne('camera and IA'),
    }),
  },
  withoutEffect: {
    'POST /api/v1/cameras/testar-conexao': 'looks at a device',
    'POST /api/v1/cameras/{camera_id}/simular-calibracao': 'changes nothing',
    'POST /api/v1/cameras/{camera_id}/reiniciar': 'opens the stream anew',
    'POST /api/v1/cameras/{camera_id}/silenciar': 'ends by itself within 60 minutes; nothing is lost',
    'POST /api/v1/cameras/{camera_id}/provas': 'adds a record',
    'PUT /api/v1/cameras/{camera_id}/provas/andamento': 'ends by itself within five minutes; nothing is lost',
    'DELETE /api/v1/cameras/{camera_id}/ajuste/{ia}': 'a proposal that reviews make again',
    'PATCH /api/v1/cameras/{camera_id}/geometria': 'a setting that can be set back',
    'PUT /api/v1/cameras/{camera_id}/transporte': 'a setting that can be set back',
    'PUT /api/v1/cameras/{camera_id}/horarios': 'a setting that can be set back',
    'PUT /api/v1/empresas/{empresa_id}/feriados': 'a setting that can be set back',
  },
})
