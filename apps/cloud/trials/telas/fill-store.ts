import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from '../../src/db/migrate.ts'
import { indexEvents } from '../../src/db/search-index.ts'
import type { Tables } from '../../src/db/tables.ts'
import { BUSY_CAMERA, BUSY_EMPRESA, CAMERAS, EMPRESAS, empresaOf, PASSAGENS, PESSOAS, PLACAS } from './sizes.ts'

/** Events of one incidente. */
const PER_INCIDENTE = 4
/** Number for all cameras together. */
const QUEDAS = 100_000
const YEAR_MS = 365 * 86_400_000
const DISCARDS = 5_000
const MARKS = 24
const WEEK_MS = 7 * 86_400_000
/** Events that one transaction indexes. */
const INDEX_STEP = 5_000

/**
 * Fills a new database with `cameras` cameras of `empresas` Empresas, `total` events of the year before `now`, and a
 * quarter as many incidentes. The cameras have 100,000 quedas, and a quarter of the events is reviewed. There are 500
 * logins, and the busy Empresa has 50,000 plates on its lists and 2,000 passages. Writes without a sync and migrates
 * from the schema before the lists, so that the migration computes the counts. The words come from the code of the
 * product.
 */
export async function fillScreens(
  file: string,
  total: number,
  now: number,
  onProgress: (text: string) => void,
  {
    cameras: count = CAMERAS,
    empresas: below = EMPRESAS,
  }: { readonly cameras?: number; readonly empresas?: number } = {},
): Promise<void> {
  const empresa = empresaOf('c', count, below)
  const sqlite = new SqliteDatabase(file)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  const times = { start: now - YEAR_MS, step: (YEAR_MS / total) * PER_INCIDENTE }
  const run = (text: string, values: object = {}) => sqlite.prepare(text).run(values)
  try {
    sqlite.pragma('journal_mode = OFF')
    sqlite.pragma('synchronous = OFF')
    sqlite.pragma('foreign_keys = OFF')
    sqlite.pragma('cache_size = -400000')
    await migrate(db, '0002-recorders-and-channels')
    run(empresas, { last: below + 1 })
    onProgress('events')
    run(events(count, empresa), { total, ...times })
    onProgress('migrations')
    await migrate(db)
    run(edges, { last: below + 1 })
    run(cameras(empresa), { cameras: count })
    onProgress('incidentes')
    run(incidentes)
    run(`update eventos set incidente_id = (id - 1) / ${PER_INCIDENTE} + 1`)
    run(answers)
    run(quedas(count, empresa), { cameras: count, now })
    run(presences, { now })
    run(pessoas(), { pessoas: PESSOAS, empresas: below })
    run(placas(), { placas: PLACAS, empresa: BUSY_EMPRESA })
    run(passagens(), { passagens: PASSAGENS, empresa: BUSY_EMPRESA, camera: BUSY_CAMERA, now })
    run(tracks, { camera: BUSY_CAMERA })
    run(discards(), { camera: BUSY_CAMERA, n: DISCARDS, begin: now - WEEK_MS, step: WEEK_MS / DISCARDS })
    for (let after = 0; after < total; after += INDEX_STEP) {
      if (after % 100_000 === 0) onProgress(`words of ${after} events`)
      const rows = await db
        .selectFrom('eventos')
        .select(['id', 'empresa_id', 'camera_id', 'camera_nome', 'tipo', 'rotulos_json', 'detalhes_json'])
        .select('incidente_id')
        .where('id', '>', after)
        .where('id', '<=', after + INDEX_STEP)
        .execute()
      await indexEvents(db, rows)
    }
    // No ANALYZE: the product has no statistics either, so that its plans stay the same on every folder.
    sqlite.exec('delete from busca_preenchimento')
  } finally {
    await db.destroy()
  }
}

const empresas = `with recursive n(i) as (select 1 union all select i + 1 from n where i < :last)
  insert into empresas (id, nome, empresa_pai_id, fuso_horario, limite_cameras, criada_em)
  select i, 'Empresa ' || i, case when i > 1 then 1 end, 'America/Sao_Paulo', 99999, 1 from n`

const NAMES = `case c % 10 when 0 then 'Portaria' when 1 then 'Doca' when 2 then 'Garagem' when 3 then 'Pátio Norte'
  when 4 then 'Corredor' when 5 then 'Recepção' when 6 then 'Estoque' when 7 then 'Cerca Sul' when 8 then 'Elevador'
  else 'Caixa' end || ' ' || c`

// g: number of the incidente; h: a pseudo-random number of it, equal in every run. Five cameras have a third of all.
const events = (cameras: number, empresa: string) => `
  with recursive
    n(i) as (select 1 union all select i + 1 from n where i < :total),
    r as (select i, (i - 1) / ${PER_INCIDENTE} g, ((i - 1) / ${PER_INCIDENTE} * 15485863 + 7919) % 10007 h from n),
    e as (select i, g, h, case when h % 3 = 0 then h % 5 * 100 else h * 7 % ${cameras} end + 1 c,
      case when h < 20 then 'fogo' when h < 900 then 'placa' when h < 2500 then 'veiculo'
        when h < 4000 then 'cruzamento_linha' else 'invasao' end tipo from r)
  insert into eventos (uuid, empresa_id, camera_id, camera_nome, edge_id, seq, tipo, gravidade, ocorrido_em,
    recebido_em, relogio_json, confianca, rotulos_json, caixas_json, calibracao_json, instrucoes_json, modelo,
    detalhes_json, crop_path, veredito_decisao, veredito_confianca, veredito_motivo, veredito_fonte,
    verificar_apos, revisao_rotulo, revisao_revisor, revisado_em)
  select printf('%032x', i), ${empresa}, c, ${NAMES}, ${empresa}, i, tipo,
    case tipo when 'fogo' then 'critica' when 'placa' then 'baixa' when 'veiculo' then 'media' else 'alta' end,
    cast(:start + g * :step as integer) + i % 4 * 5000, cast(:start + g * :step as integer) + i % 4 * 5000 + 800,
    '{}', 0.46 + h % 50 / 100.0,
    case tipo when 'veiculo' then '["truck"]' when 'placa' then '["car"]' when 'fogo' then '["fire"]'
      else '["person"]' end, '[{"rotulo":"person","confianca":0.7,"x":0.1,"y":0.2,"w":0.3,"h":0.4}]', '{}', '[]', 'm',
    case tipo when 'placa' then printf('{"placa":"%c%c%c%d%c%02d"}', 65 + g % 26, 65 + g / 26 % 26, 65 + g / 676 % 26,
      g % 10, 65 + g / 7 % 10, g / 11 % 100) else '{}' end, null,
    case when h % 10 < 7 then 'refutado' else 'confirmado' end, 0.9, 'Havia pessoa.', 'm', 9007199254740991,
    case when h % 4 = 0 then case when h % 7 < 3 then 'refutado' else 'confirmado' end end,
    case when h % 4 = 0 then 'rui' end, case when h % 4 = 0 then cast(:start + g * :step as integer) + 3600000 end
  from e`

const edges = `insert into edges (id, nome, empresa_id, local, ativado_em, chave_cifra_json, criado_em)
  with recursive n(i) as (select 2 union all select i + 1 from n where i < :last)
  select i, 'Caixa', i, 0, 1, '{}', 1 from n`

const cameras = (empresa: string) => `insert into cameras (id, empresa_id, edge_id, nome, rtsp_url_cifrada, rtsp_url,
    eventos_habilitados_json, config_ia_json, zonas_json, linha_json, agenda_json, ativa, instrucoes_json, criada_em,
    atualizada_em)
  with recursive n(c) as (select 1 union all select c + 1 from n where c < :cameras)
  select c, ${empresa}, ${empresa}, ${NAMES}, '', 'rtsp://192.0.2.1/1', '["invasao"]', '{}', '[]',
    '[]', '{}', 1, '[]', 1, 1 from n`

const incidentes = `insert into incidentes (id, empresa_id, camera_id, camera_nome, inicio, fim, gravidade, tipos,
    situacao, capa_evento_id, eventos, pendentes, confirmados, refutados, resposta, nota, atendido_por, atendido_em,
    anunciado_em)
  select (id - 1) / ${PER_INCIDENTE} + 1, empresa_id, camera_id, camera_nome, min(ocorrido_em), max(ocorrido_em),
    gravidade, '|' || tipo || '|', veredito_decisao, min(id), count(*), 0,
    case veredito_decisao when 'confirmado' then count(*) else 0 end,
    case veredito_decisao when 'refutado' then count(*) else 0 end,
    case when veredito_decisao = 'confirmado' and id % 3 < 2 then 'falso' end, null,
    case when veredito_decisao = 'confirmado' and id % 3 < 2 then 'rui' end,
    case when veredito_decisao = 'confirmado' and id % 3 < 2 then max(ocorrido_em) + 60000 end, max(ocorrido_em)
  from eventos group by (id - 1) / ${PER_INCIDENTE}`

const answers = `insert into atendimentos (incidente_id, resposta, revisor, atendido_em)
  select id, resposta, atendido_por, atendido_em from incidentes where resposta is not null`

const quedas = (
  count: number,
  empresa: string,
) => `insert into quedas (empresa_id, edge_id, camera_id, nome, inicio, fim, motivo)
  with recursive
    n(c) as (select 1 union all select c + 1 from n where c < :cameras),
    k(i) as (select 1 union all select i + 1 from k where i < ${QUEDAS / count})
  select ${empresa}, ${empresa}, c, ${NAMES}, :now - i * 157680000 - c * 60000,
    :now - i * 157680000 - c * 60000 + 600000, 'sem_resposta' from k cross join n`

const presences = `insert into presencas (empresa_id, abaixo, inicio, fim)
  with recursive n(i) as (select 365 union all select i - 1 from n where i > 0)
  select 1, 1, :now - i * 86400000 - 40000000, :now - i * 86400000 - 10000000 from n`

/** Logins that no password opens. */
const pessoas = () => `insert into usuarios (username, username_chave, senha_hash, empresa_id, criado_em)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < :pessoas)
  select 'pessoa-' || i, 'pessoa-' || i, '', cast(2 + i % :empresas as integer), 1 from n`

const placas = () => `insert into placas (empresa_id, placa, lista, dono, criada_em, atualizada_em)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < :placas)
  select cast(:empresa as integer), printf('TST%05d', i), case when i % 50 = 0 then 'bloqueada' else 'permitida' end,
    'Apartamento ' || i, i, i from n`

const passagens = () => `insert into passagens (uuid, empresa_id, camera_id, camera_nome, edge_id, revisao, inicio,
    ocorrido_em, fim, recebida_em, veiculo, cor, placa, pais, forma, confianca, candidatas_json, situacao)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < :passagens)
  select printf('%032x', i), cast(:empresa as integer), cast(:camera as integer), 'Portaria',
    cast(:empresa as integer), 1, cast(:now - i * 60000 as integer), cast(:now - i * 60000 as integer),
    cast(:now - i * 60000 + 5000 as integer), cast(:now - i * 60000 as integer), 'car', 'branco',
    printf('TST%05d', i), 'BR', 'mercosul', 0.97, '[]', 'permitida' from n`

/** Names a track for each event of the camera. */
const tracks = `update eventos set trilha = 't' || id where camera_id = :camera`

/** Tracks without an event, with marks of five frames a second. */
function discards(): string {
  const marks = Array.from({ length: MARKS }, (_, i) => [i * 200, 0.3 + i / 200, 0.05, 0])
  const caixa = { rotulo: 'person', confianca: 0.4, x: 0.1, y: 0.2, w: 0.3, h: 0.4 }
  const path = Array.from({ length: MARKS }, (_, i) => ({ ms: i * 200, x: 0.1, y: 0.2, w: 0.3, h: 0.4 }))
  const dados = {
    disparou_ms: null,
    completo: true,
    confianca: 0.42,
    caixa,
    trajeto: path,
    marcas: marks,
    calibracao: { conf: 0.45, area_min: 0.0015, resfriamento_s: 10, min_quadros: 3 },
  }
  return `insert into descartados (uuid, empresa_id, camera_id, tipo, motivo, ocorrido_em, recebido_em, omitidos,
      dados_json, caminho)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < :n)
    select printf('%032x', i), 1, :camera, 'invasao', 'conf', cast(:begin + i * :step as integer),
      cast(:begin + i * :step as integer) + 9000, 0,
      json_set('${JSON.stringify(dados)}', '$.trilha', 'd' || i, '$.visita', 'd' || i), null
    from n`
}
