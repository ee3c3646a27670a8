import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { databaseFile } from '../../src/db/place.ts'
import { BUSY_CAMERA } from '../telas/sizes.ts'

/** Rows per event of the folder, as large customers have them. */
const PER_EVENT = {
  passagens: 1,
  auditoria: 1 / 3,
  entregas: 1 / 3,
  clipes: 1 / 6,
  presencas: 1 / 6,
  lacunas: 1 / 15,
  placas: 1 / 6,
  parados: 1 / 30,
  preservacoes: 1 / 300,
  usuarios: 1 / 600,
} as const
/** Passages of a vehicle in a year. */
const PASSAGES_OF_PLATE = 30
const YEAR_MS = 365 * 86_400_000
/** The Empresa of all cameras (fill-folder.ts). */
const EMPRESA = 2

/**
 * Fills the lists beside the events of a folder (telas/fill-folder.ts): passages, plates, clips, audit records,
 * deliveries, presences, lacunas, stopped work, preserved events and logins.
 */
export function fillLists(
  folder: string,
  { events, cameras }: { readonly events: number; readonly cameras: number },
): void {
  const sqlite = new SqliteDatabase(databaseFile(join(folder, 'cloud')))
  try {
    sqlite.pragma('journal_mode = OFF')
    sqlite.pragma('synchronous = OFF')
    sqlite.pragma('foreign_keys = OFF')
    sqlite.exec(canal)
    for (const [name, statement] of Object.entries(statements)) {
      const rows = Math.max(1, Math.floor(events * PER_EVENT[name as keyof typeof statements]))
      sqlite.prepare(statement).run({ rows, events, cameras, now: Date.now(), step: YEAR_MS / rows })
    }
  } finally {
    sqlite.close()
  }
}

const n = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < :rows)'
const at = 'cast(:now - (:rows - i + 1) * :step as integer)'
/** A third of all rows is of one camera. */
const camera = `case when i % 3 = 0 then ${BUSY_CAMERA} else i * 7 % :cameras + 1 end`
const plateOf = (key: string) =>
  `printf('%c%c%c%d%c%02d', 65 + ${key} % 26, 65 + ${key} / 26 % 26, 65 + ${key} / 676 % 26, ${key} % 10,
    65 + ${key} / 7 % 10, ${key} / 11 % 100)`

const canal = `insert into canais_notificacao (id, empresa_id, nome, tipo, destino, destinatarios_json, ativo,
    camera_id, tipos_evento_json, agenda_json, segredo_cifrado, criado_em, atualizado_em)
  values (1, ${EMPRESA}, 'Portaria', 'email', '', '["a@example.com"]', 1, null, '[]', '{}', null, 1, 1)`

const mensagem = `json_object('tipo', 'evento.confirmado', 'camera', json_object('id', 1, 'nome', 'Portaria 1'),
  'evento', json_object('id', i, 'tipo', 'invasao', 'incidente_id', i / 4 + 1))`

const statements = {
  passagens: `insert into passagens (uuid, empresa_id, camera_id, camera_nome, edge_id, local, revisao, inicio,
      ocorrido_em, fim, recebida_em, veiculo, cor, direcao, sentido, placa, pais, forma, confianca, candidatas_json,
      situacao)
    ${n}, p as (select i, i * 7919 % max(1, :rows / ${PASSAGES_OF_PLATE}) k, i % 10 = 0 is_unread from n)
    select printf('p%031x', i), ${EMPRESA}, ${camera}, 'Portaria 1', ${EMPRESA}, null, 1, ${at}, ${at} + 2000,
      ${at} + 4000, ${at} + 5000, case i % 4 when 0 then 'truck' when 1 then 'motorcycle' else 'car' end,
      case i % 3 when 0 then 'branco' when 1 then 'preto' else 'cinza' end, 'ab',
      case i % 2 when 0 then 'saida' else 'entrada' end, case when not is_unread then ${plateOf('k')} end,
      case when not is_unread then 'BR' end, case when not is_unread then 'mercosul' end,
      case when not is_unread then 0.9 end, '[]',
      case when is_unread then null when k % 20 = 0 then 'bloqueada' when k % 20 = 1 then 'permitida'
        else 'desconhecida' end
    from p`,
  placas: `insert or ignore into placas (empresa_id, placa, lista, nota, dono, validade, criada_em, atualizada_em)
    ${n} select ${EMPRESA}, ${plateOf('(i - 1)')}, case i % 20 when 0 then 'bloqueada' else 'permitida' end, null,
      'Morador ' || i, null, ${at}, ${at} from n`,
  auditoria: `insert into auditoria (em, empresa_id, usuario_id, username, canal, acao, objeto, objeto_id, objeto_nome,
      antes_json, depois_json)
    ${n} select ${at}, ${EMPRESA}, i % 50 + 2, 'rui' || i % 50, 'painel',
      case i % 4 when 0 then 'entrar' when 1 then 'assistir' when 2 then 'alterar' else 'atender' end,
      case i % 4 when 0 then 'sessao' when 1 then 'camera' when 2 then 'camera' else 'incidente' end, i % 500 + 1,
      'Portaria ' || i % 500, case i % 4 when 2 then '{"nome":"Portaria"}' end,
      case i % 4 when 2 then '{"nome":"Portaria 2"}' end from n`,
  clipes: `insert into clipes (id, uuid, empresa_id, camera_id, edge_id, inicio, duracao_ms, codec, codecs, largura,
      altura, tamanho, sha256, estado, motivo, desejado, recebido_em, caminho)
    ${n} select i, printf('c%031x', i), e.empresa_id, e.camera_id, e.edge_id, e.ocorrido_em - 5000, 12000, 'h264',
      'avc1.4d401f', 640, 360, 900000, '', case i % 3 when 0 then 'guardado' else 'na_caixa' end, null, 0,
      e.recebido_em, 'clipes/' || i || '.mp4' from n join eventos e on e.id = :events - :rows + i`,
  entregas: `insert into entregas (canal_id, destino, mensagem_id, mensagem_json, estado, criada_em, terminada_em, erro,
      erro_em)
    ${n} select 1, 'a@example.com', 'm' || i, ${mensagem},
      case i % 20 when 0 then 'desistida' else 'entregue' end, ${at}, ${at} + 900,
      case i % 20 when 0 then 'O servidor de e-mail recusou a mensagem.' end, case i % 20 when 0 then ${at} + 900 end
    from n`,
  lacunas: `insert into lacunas (uuid, edge_id, camera_id, de_seq, ate_seq, ocorrido_de, ocorrido_ate, motivo,
      registrada_em)
    ${n} select printf('l%031x', i), ${EMPRESA}, ${camera}, i, i, ${at}, ${at}, 'cota_de_disco', ${at} from n`,
  presencas: `insert into presencas (empresa_id, abaixo, inicio, fim)
    ${n} select ${EMPRESA}, 1, ${at}, ${at} + 28800000 from n`,
  parados: `insert into trabalhos (tipo, chave, raiz_id, empresa_id, prioridade, estado, em, tentativas, criado_em,
      erro, erro_em)
    ${n} select 'verificacao', i, 1, ${EMPRESA}, 0, 'parado', null, 3, ${at}, 'Não há imagem.', ${at} from n`,
  preservacoes: `insert into preservacoes (evento_id, motivo, ate, por, desde)
    ${n} select :events - i + 1, 'Inquérito', :now + 864000000, 'rui', ${at} from n`,
  usuarios: `insert into usuarios (username, username_chave, senha_hash, papel, empresa_id, ativo, criado_em)
    ${n} select 'vigilante' || i, 'vigilante' || i, '', 'vigilante', ${EMPRESA}, 1, ${at} from n`,
} as const satisfies Readonly<Record<keyof typeof PER_EVENT, string>>
