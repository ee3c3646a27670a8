import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { seedCamera } from '../../test/records/records.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'
import { readyDue } from '../work-queue/claims.ts'

const EVENT = `insert into eventos (uuid, empresa_id, camera_id, camera_nome, edge_id, seq, tipo, gravidade,
  ocorrido_em, recebido_em, relogio_json, confianca, rotulos_json, caixas_json, calibracao_json, instrucoes_json,
  modelo, detalhes_json, retroativo, veredito_decisao, verificacao_tentativas, verificar_apos)
  values (?, 1, 1, 'Portão', 1, ?, 'invasao', ?, 1000, 1000, '{}', 0.7, '[]', '[]', '{}', '[]', 'm', ?, ?, ?, ?, ?)`
const DELIVERY = `insert into entregas (canal_id, destino, mensagem_id, mensagem_json, estado, tentativas, proxima_em,
  criada_em, erro, erro_em) values (?, ?, ?, '{}', ?, ?, ?, 1000, ?, ?)`

it('moves only pending verifications and deliveries into the work queue', async () => {
  const dir = temporaryFolder('vigia-fila-')
  const file = join(dir, 'vigia.db')
  const sqlite = new SqliteDatabase(file)
  const former = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  await migrate(former, '0007-seeing')
  await seedCamera(former)
  const noted = '{"falha_verificacao":"O verificador está indisponível."}'
  for (const [seq, gravidade, detalhes, retroativo, decisao, tentativas, apos] of [
    [1, 'critica', '{}', 0, null, 0, 0],
    [2, 'alta', '{}', 1, null, 1, 5000],
    [3, 'alta', noted, 0, null, 7, 9_000_000],
    [4, 'alta', '{}', 0, 'refutado', 0, 0],
  ])
    sqlite.prepare(EVENT).run(String(seq), seq, gravidade, detalhes, retroativo, decisao, tentativas, apos)
  for (const [id, tipo] of [
    [1, 'webhook'],
    [2, 'email'],
  ])
    sqlite
      .prepare(
        `insert into canais_notificacao (id, empresa_id, tipo, destino, destinatarios_json, ativo, tipos_evento_json,
           agenda_json, criado_em, atualizado_em) values (?, 1, ?, '', '[]', 1, '[]', '{}', 1, 1)`,
      )
      .run(id, tipo)
  for (const [canal, destino, mensagem, estado, tentativas, proxima, erro] of [
    [1, 'https://exemplo.com.br:8443/a', 'a', 'pendente', 3, 7000, 'Não respondeu.'],
    [2, 'ana@exemplo.com.br', 'b', 'pendente', 0, 1000, null],
    [1, 'https://exemplo.com.br/c', 'c', 'entregue', 1, 1000, null],
  ])
    sqlite
      .prepare(DELIVERY)
      .run(canal, destino, mensagem, estado, tentativas, proxima, erro, erro === null ? null : 2000)
  await former.destroy()

  const db = await openDatabase(file)
  try {
    const columns = ['tipo', 'chave', 'estado', 'em', 'prioridade', 'tentativas', 'faixa', 'grupo'] as const
    const rows = await db.selectFrom('trabalhos').select(columns).orderBy('id').execute()
    const none = { faixa: null, grupo: null }
    const verificacao = { tipo: 'verificacao', ...none }
    expect(rows).toEqual([
      { ...verificacao, chave: '1', estado: 'recuo', em: 0, prioridade: 0, tentativas: 0 },
      { ...verificacao, chave: '2', estado: 'recuo', em: 5000, prioridade: 5, tentativas: 1 },
      { ...verificacao, chave: '3', estado: 'parado', em: 9_000_000, prioridade: 1, tentativas: 7 },
      {
        tipo: 'notificacao_lenta',
        chave: '1',
        estado: 'recuo',
        em: 7000,
        prioridade: 0,
        tentativas: 3,
        faixa: 'webhook:exemplo.com.br:8443',
        grupo: 'https://exemplo.com.br:8443/a',
      },
      {
        tipo: 'notificacao',
        chave: '2',
        estado: 'recuo',
        em: 1000,
        prioridade: 0,
        tentativas: 0,
        faixa: 'email',
        grupo: 'ana@exemplo.com.br',
      },
    ])
    expect(await db.selectFrom('destinos_lentos').select('destino').execute()).toEqual([
      { destino: 'https://exemplo.com.br:8443/a' },
    ])
    await readyDue(db, 'notificacao', 1000, 3_600_000)
    await readyDue(db, 'verificacao', 5000, 86_400_000)
    const ready = db.selectFrom('trabalhos').select('id').where('estado', '=', 'pronto').orderBy('id')
    expect((await ready.execute()).map(({ id }) => id)).toEqual([1, 2, 5])
  } finally {
    await db.destroy()
    rmSync(dir, { recursive: true })
  }
})
