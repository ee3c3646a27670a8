import { randomUUID } from 'node:crypto'
import type { Apagamento, ContagemApagamento } from '@vigia/contracts/apagamentos'
import { encodeExtras } from '@vigia/link/extras-batch'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MediaStore } from '../adapters/media-store/interface.ts'
import { openMediaStore } from '../adapters/media-store/open-media-store.ts'
import { loadConfig } from '../config.ts'
import { dataRegister, entries, type Reached } from '../db/data-register/data-register.ts'
import { mediaFolders } from '../db/named-files.ts'
import { isPostgres } from '../db/postgres-dialect.ts'
import type { Tables } from '../db/tables.ts'
import { ingestExtras } from '../domains/operacao/ingestao/ingest-extras.ts'
import { openBackstage, type SeededCamera } from '../test/clouds/backstage.ts'
import type { Account } from '../test/clouds/test-app.ts'
import { startTestApp } from '../test/clouds/test-app.ts'
import { JPEG } from '../test/records/records.ts'
import { descartadoOf, evidenciaOf } from '../test/releases/recorded-edge.ts'
import { postgresTables } from '../test/walks/other-data.ts'

const HOUR_MS = 3_600_000
type Table = keyof Tables
type Rows = ReadonlyMap<Table, readonly string[]>

let media: MediaStore

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  media = await openMediaStore(loadConfig({ VIGIA_DATA_DIR: app.dataDir }))
})

const instant = (ms: number) => new Date(ms).toISOString()

it('has exactly the tables of the schema', async () => {
  const tables = await backstage.db.introspection.getTables()
  const own = isPostgres(backstage.db) ? postgresTables : []
  expect(tables.map(({ name }) => name).sort()).toEqual([...entries.map(([name]) => name), ...own].sort())
})

it('leads from each table that goes with another one to a table with a step of its own', () => {
  for (const promise of ['export', 'period', 'plate'] as const)
    for (const [name, entry] of entries) {
      const path = [name]
      let reach = entry[promise]
      while (reach.by === 'with') {
        expect(Object.keys(dataRegister), `${name}: ${promise}`).toContain(reach.table)
        path.push(reach.table as Table)
        expect(new Set(path).size, path.join(' → ')).toBe(path.length)
        reach = dataRegister[reach.table as Table][promise]
      }
      if (path.length > 1) expect(reach.by, path.join(' → ')).not.toBe('stays')
    }
})

it('states for each table with personal data what ends it', () => {
  for (const [name, { personal, ends }] of entries) {
    expect(ends.length, name).toBeGreaterThan(personal === null ? -1 : 0)
    if (personal !== null)
      expect(
        ends.map(({ by }) => by),
        name,
      ).not.toContain('never')
  }
})

/** Rows of every table as JSON. */
async function rowsOf(): Promise<Rows> {
  const found = new Map<Table, string[]>()
  for (const [name] of entries) {
    const rows = await backstage.db
      .selectFrom(name as 'eventos')
      .selectAll()
      .execute()
    found.set(name, rows.map((row) => JSON.stringify(row)).sort())
  }
  return found
}
/** Rows of a table that `before` has not. */
const added = (before: Rows, after: Rows, table: Table): string[] => {
  const known = new Set(before.get(table))
  return (after.get(table) ?? []).filter((row) => !known.has(row))
}
async function filesOf(): Promise<string[]> {
  const files: string[] = []
  for (const folder of mediaFolders) for await (const path of media.list(folder)) files.push(path)
  return files.sort()
}
const newFiles = (before: readonly string[], after: readonly string[]) => after.filter((path) => !before.includes(path))

interface Filled {
  readonly conta: Account
  readonly camera: SeededCamera
  readonly eventos: readonly number[]
  readonly passagens: readonly number[]
}

/** Fills each table that holds something about persons: by ingest and routes where that is cheap. */
async function fill(conta: Account): Promise<Filled> {
  const { db } = backstage
  const now = app.clock.now()
  const camera = await backstage.gateCamera(conta.empresaId)
  const modo_b_config_json = JSON.stringify({ ativo: true, bloqueadas: ['ABC1D23', 'XYZ9876'] })
  await db.updateTable('cameras').set({ modo_b_config_json }).where('id', '=', camera.cameraId).execute()
  const evento = await backstage.event(camera, { ocorrido_em: now - 3 * HOUR_MS })
  await backstage.clip(evento)
  await backstage.verdict(evento, 'confirmado')
  const review = { rotulo_humano: 'confirmado', revisor: 'Ana' }
  await conta.admin.expect(200, 'POST', `/api/v1/events/${evento}/revisao`, review)
  const incidente = await backstage.incidenteOf(evento)
  const answer = { resposta: 'verdadeiro', nota: 'Entregador conhecido' }
  await conta.admin.expect(200, 'POST', `/api/v1/incidentes/${incidente}/atendimento`, answer)
  const { uuid } = await db.selectFrom('eventos').select('uuid').where('id', '=', evento).executeTakeFirstOrThrow()
  const payload = encodeExtras([
    { extra: evidenciaOf(camera.cameraId, uuid), imagem: JPEG },
    { extra: descartadoOf(camera.cameraId, now - HOUR_MS), imagem: JPEG },
  ])
  const stored = await ingestExtras({ db, media, clock: app.clock }, camera.edgeId, payload ?? Buffer.alloc(0))
  expect(stored).toMatchObject({ respostas: [{ resultado: 'gravado' }, { resultado: 'gravado' }] })
  await backstage.gravacao(conta.empresaId)
  const canal = { empresa_id: conta.empresaId, tipo: 'email', destinatarios: ['ana@exemplo.com.br'], ativo: false }
  const { id: canal_id } = await conta.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', canal)
  const mensagem_id = randomUUID()
  const message = { canal_id, destino: 'ana@exemplo.com.br', mensagem_id, mensagem_json: '{"texto":"ABC1D23"}' }
  await db
    .insertInto('entregas')
    .values({ ...message, estado: 'entregue', criada_em: now - HOUR_MS, terminada_em: now, erro: null, erro_em: null })
    .execute()
  await db.insertInto('avisos_incidente').values({ canal_id, incidente_id: incidente, criado_em: now }).execute()
  const aviso = { canal_id, evento_id: evento, incidente_id: incidente, situacao: 'confirmado' as const }
  await db
    .insertInto('avisos_evento')
    .values({ ...aviso, mensagem_id, criado_em: now })
    .execute()
  const ended = { evento_id: evento, motivo: 'Boletim 1', ate: now - 1, por: 'Ana', desde: now - HOUR_MS }
  await db.insertInto('preservacoes').values(ended).execute()
  const passagens: number[] = []
  for (const placa of ['ABC1D23', 'XYZ9876']) {
    const times = { inicio: now - 2 * HOUR_MS, ocorrido_em: now - 2 * HOUR_MS, fim: now - HOUR_MS }
    const read = { placa: { placa, pais: 'BR' as const, forma: 'mercosul' as const, confianca: 0.95 }, candidatas: [] }
    const id = await backstage.passagem(camera, { ...times, ...read })
    await conta.admin.expect(200, 'POST', `/api/v1/passagens/${id}/correcao`, { placa })
    passagens.push(id)
  }
  const row = { placa: 'ABC1D23', lista: 'bloqueada', empresa_id: conta.empresaId }
  await conta.admin.expect(201, 'POST', '/api/v1/placas', row)
  await waitFor('the verdicts of the plates, which change rows', async () => {
    const of = db.selectFrom('eventos').select('id').where('empresa_id', '=', conta.empresaId)
    const waiting = of.where('tipo', '=', 'placa').where('veredito_decisao', 'is', null)
    return (await waiting.execute()).length === 0
  })
  return { conta, camera, eventos: [evento], passagens }
}

async function erase({ conta }: Filled, placa?: string): Promise<Apagamento> {
  const path = `/api/v1/empresas/${conta.empresaId}/apagamentos`
  const now = app.clock.now()
  const times = { inicio: instant(now - 24 * HOUR_MS), fim: instant(now) }
  const search = new URLSearchParams({ ...times, ...(placa !== undefined && { placa }) })
  const counted = await conta.admin.expect<ContagemApagamento>(200, 'GET', `${path}/contagem?${search}`)
  const { eventos, gravacoes, preservados, passagens } = counted
  const { id } = await conta.admin.expect<Apagamento>(202, 'POST', path, {
    ...times,
    cameras: null,
    motivo: 'Pedido',
    ...(placa !== undefined && { placa }),
    contagem: { eventos, gravacoes, preservados, passagens },
  })
  return waitFor('the end of the deletion', async () => {
    const list = await conta.admin.expect<Apagamento[]>(200, 'GET', path)
    return list.find((each) => each.id === id && each.estado === 'concluido')
  })
}

const fileOfExport: Record<Reached<'export', 'own'>, (filled: Filled) => readonly string[]> = {
  eventos: ({ eventos }) => eventos.map((id) => `eventos/${id}/recorte.jpg`),
  passagens: ({ passagens }) =>
    passagens.flatMap((id) =>
      ['passagem.json', 'veiculo.jpg', 'placa.jpg', 'treinamento.jpg', 'treinamento.json'].map(
        (name) => `passagens/${id}/${name}`,
      ),
    ),
}

describe('keeps its promises on the real routes', () => {
  it('a deletion by period leaves no row and no file of a table that it reaches', async () => {
    const conta = await app.account('Período')
    const [before, files] = [await rowsOf(), await filesOf()]
    const filled = await fill(conta)
    app.clock.advance(1)
    const full = await rowsOf()
    const reached = entries.filter(([, { period }]) => period.by === 'own' || period.by === 'with')
    for (const [name] of reached)
      expect(added(before, full, name).length, `rows of ${name} to delete`).toBeGreaterThan(0)
    await erase(filled)
    const after = await rowsOf()
    for (const [name] of reached) expect(added(before, after, name), name).toEqual([])
    await waitFor('the files', async () => newFiles(files, await filesOf()).length === 0)
  })

  it('a deletion of one plate leaves it only where it says so', async () => {
    const conta = await app.account('Placa')
    const before = await rowsOf()
    const filled = await fill(conta)
    app.clock.advance(1)
    const has = (rows: Rows, name: Table) => added(before, rows, name).filter((row) => /abc1d23/i.test(row)).length
    const full = await rowsOf()
    for (const [name, { plate }] of entries)
      if (plate.by === 'stays') expect(has(full, name), `plates of ${name}`).toBeGreaterThan(0)
    const { ficou } = await erase(filled, 'ABC1D23')
    const after = await rowsOf()
    const left = entries.flatMap(([name]) => (has(after, name) > 0 ? name : []))
    expect(left.sort()).toEqual(entries.flatMap(([name, { plate }]) => (plate.by === 'stays' ? name : [])).sort())
    expect(ficou?.map(({ dado, quantos }) => [dado, quantos]).sort()).toEqual(
      left.map((name) => [name, has(after, name)]).sort(),
    )
    // Records of another plate, or of none, stay.
    const [, other] = filled.passagens
    expect(added(before, after, 'passagens')).toEqual([expect.stringContaining(`"id":${other},`)])
    await conta.admin.expect(200, 'GET', `/api/v1/events/${filled.eventos[0]}`)
  })

  it('a hold keeps every row of a table that it reaches, and every file', async () => {
    const conta = await app.account('Preservado')
    const before = await rowsOf()
    const filled = await fill(conta)
    app.clock.advance(1)
    // Those of the recording too.
    const all = backstage.db.selectFrom('eventos').select('id').where('empresa_id', '=', conta.empresaId)
    for (const { id } of await all.execute())
      await conta.admin.expect(200, 'POST', `/api/v1/events/${id}/preservar`, {
        motivo: 'Boletim 1',
        ate: instant(app.clock.now() + HOUR_MS),
      })
    const [full, files] = [await rowsOf(), await filesOf()]
    const { ficou } = await erase(filled)
    expect(ficou?.map(({ dado }) => dado)).toEqual(['eventos', 'passagens', 'entregas'])
    const after = await rowsOf()
    for (const [name] of entries.filter(([, entry]) => entry.held)) {
      expect(added(before, full, name).length, `rows of ${name} to hold`).toBeGreaterThan(0)
      expect(added(before, after, name), name).toEqual(added(before, full, name))
    }
    const kept = new Set(await filesOf())
    // Discarded candidates are not held.
    expect(files.filter((path) => !kept.has(path) && !path.startsWith('descartados/'))).toEqual([])
  })

  it('an export brings the records of each table that it reaches itself', async () => {
    const conta = await app.account('Exportação')
    const filled = await fill(conta)
    app.clock.advance(1)
    const [inicio, fim] = [instant(app.clock.now() - 24 * HOUR_MS), instant(app.clock.now())]
    const path = `/api/v1/empresas/${conta.empresaId}/exportar?inicio=${inicio}&fim=${fim}`
    const answer = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${conta.admin.token}` } })
    expect(answer.status).toBe(200)
    const zip = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    const wanted = Object.values(fileOfExport).flatMap((names) => names(filled))
    expect(wanted.filter((name) => !zip.includes(name))).toEqual([])
  })
})
