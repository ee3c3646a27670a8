import type { Apagamento, ContagemApagamento } from '@vigia/contracts/apagamentos'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { openMediaStore } from '../../../adapters/media-store/open-media-store.ts'
import { loadConfig } from '../../../config.ts'
import { openBackstage, type SeededCamera } from '../../../test/clouds/backstage.ts'
import type { Account } from '../../../test/clouds/test-app.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { sweepEmpresa } from './sweep-empresa.ts'

const DAY_MS = 86_400_000
let conta: Account
let camera: SeededCamera
let path: string

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
afterAll(async () => {
  await expectCountsRight(backstage.db)
  await expectIncidentesRight(backstage.db)
})

const instant = (ms: number) => new Date(ms).toISOString()
/** A new account with a camera that blocks `ABC1D23` and `XYZ9876`. */
async function fresh(nome: string) {
  conta = await app.account(nome)
  camera = await backstage.gateCamera(conta.empresaId)
  const modo_b_config_json = JSON.stringify({ ativo: true, bloqueadas: ['ABC1D23', 'XYZ9876'] })
  await backstage.db.updateTable('cameras').set({ modo_b_config_json }).where('id', '=', camera.cameraId).execute()
  path = `/api/v1/empresas/${conta.empresaId}/apagamentos`
}
const placaOf = (placa: string) => ({ placa, pais: 'BR' as const, forma: 'mercosul' as const, confianca: 0.95 })
const passage = (placa: string, ocorrido_em: number) =>
  backstage.passagem(camera, {
    placa: placaOf(placa),
    inicio: ocorrido_em - 1_000,
    ocorrido_em,
    fim: ocorrido_em + 1_000,
  })
const rowOf = (id: number) => backstage.db.selectFrom('passagens').selectAll().where('id', '=', id).executeTakeFirst()
const eventoOf = async (id: number) => Number((await rowOf(id))?.evento_id)
const hold = (evento: number) =>
  conta.admin.expect(200, 'POST', `/api/v1/events/${evento}/preservar`, {
    motivo: 'Boletim 1',
    ate: instant(app.clock.now() + 400 * DAY_MS),
  })
const media = () => openMediaStore(loadConfig({ VIGIA_DATA_DIR: app.dataDir }))
const exists = async (file: string | null | undefined) => (await (await media()).read(file ?? 'none')) !== null
const correct = (id: number, placa: string) =>
  conta.admin.expect(200, 'POST', `/api/v1/passagens/${id}/correcao`, { placa })

async function erase(inicio: number, fim: number, placa?: string) {
  const search = `inicio=${instant(inicio)}&fim=${instant(fim)}${placa === undefined ? '' : `&placa=${placa}`}`
  const counted = await conta.admin.expect<ContagemApagamento>(200, 'GET', `${path}/contagem?${search}`)
  const { eventos, gravacoes, preservados, passagens } = counted
  const { id } = await conta.admin.expect<Apagamento>(202, 'POST', path, {
    cameras: null,
    inicio: instant(inicio),
    fim: instant(fim),
    motivo: 'Pedido 12',
    ...(placa !== undefined && { placa }),
    contagem: { eventos, gravacoes, preservados, passagens },
  })
  const ended = await waitFor('the end of the deletion', async () => {
    const list = await conta.admin.expect<Apagamento[]>(200, 'GET', path)
    return list.find((each) => each.id === id && each.estado === 'concluido')
  })
  return { counted, ended }
}

it('deletes the passages of a period with pictures and training copies, and keeps those of held events', async () => {
  await fresh('Portaria')
  const now = app.clock.now()
  const [gone, held, before] = [
    await passage('ABC1D23', now - 10 * 3_600_000),
    await passage('XYZ9876', now - 5 * 3_600_000),
    await passage('ABC1D23', now - 40 * 3_600_000),
  ]
  await correct(gone, 'ABC1D24')
  const files = Object.values(
    await rowOf(gone).then((row) => [row?.foto_path, row?.foto_placa_path, row?.dataset_path]),
  )
  expect(await Promise.all(files.map(exists))).toEqual([true, true, true])
  await hold(await eventoOf(held))

  const { counted, ended } = await erase(now - 20 * 3_600_000, now)
  expect(counted).toMatchObject({ passagens: 1, passagens_preservadas: 1, preservados: 1 })
  expect(counted.ficam).toMatchObject([
    { dado: 'eventos', quantos: 1 },
    { dado: 'passagens', quantos: 1, motivo: expect.stringContaining('preservou') },
  ])
  expect(ended).toMatchObject({ passagens: 1, passagens_preservadas: 1, ficou: counted.ficam })
  expect(await Promise.all([gone, held, before].map(rowOf))).toEqual([undefined, expect.anything(), expect.anything()])
  expect(await Promise.all(files.map(exists))).toEqual([false, false, false])
  expect(await exists(files[2]?.replace('.jpg', '.json'))).toBe(false)
  const left = await rowOf(held)
  expect(await Promise.all([left?.foto_path, left?.foto_placa_path].map(exists))).toEqual([true, true])
  const records = backstage.db.selectFrom('registros_passagem').select('uuid').where('passagem_id', '=', gone)
  expect(await records.execute()).toEqual([])
  const evento = await conta.admin.expect<{ crop_url: string | null }>(
    200,
    'GET',
    `/api/v1/events/${await eventoOf(held)}`,
  )
  expect(evento.crop_url).not.toBeNull()
})

it('deletes only what holds one plate, and says what it left and why', async () => {
  await fresh('Garagem')
  const now = app.clock.now()
  const [mine, other, read] = [
    await passage('ABC1D23', now - 3_600_000),
    await passage('XYZ9876', now - 3_590_000),
    await passage('A8C1D23', now - 3_000_000),
  ]
  await correct(read, 'ABC1D23')
  const [gone, kept] = [await eventoOf(mine), await eventoOf(other)]
  // A plate shares its incidente with no other plate.
  expect(await backstage.incidenteOf(gone)).not.toBe(await backstage.incidenteOf(kept))
  const empresa_id = conta.empresaId
  await conta.admin.expect(201, 'POST', '/api/v1/placas', { placa: 'abc-1d23', lista: 'bloqueada', empresa_id })

  const { counted, ended } = await erase(now - 7_200_000, now, 'abc-1d23')
  // The event of the correction too.
  expect(counted).toMatchObject({ passagens: 2, eventos: 2, gravacoes: 0 })
  expect(ended).toMatchObject({ passagens: 2, eventos: 2, placa: '*' })
  expect(ended.ficou?.map(({ dado }) => dado)).toEqual(['placas', 'cameras', 'auditoria'])
  expect(ended.ficou?.every(({ quantos, motivo }) => quantos > 0 && motivo.length > 20)).toBe(true)
  expect(await Promise.all([mine, other, read].map(rowOf))).toEqual([undefined, expect.anything(), undefined])
  expect((await conta.admin.send('GET', `/api/v1/events/${gone}`)).status).toBe(404)
  await conta.admin.expect(200, 'GET', `/api/v1/events/${kept}`)
  const stored = await backstage.db.selectFrom('apagamentos').selectAll().where('empresa_id', '=', empresa_id).execute()
  expect(JSON.stringify(stored)).not.toContain('ABC1D23')
  const query = `/api/v1/auditoria?objeto=apagamento&empresa_id=${empresa_id}`
  expect(JSON.stringify(await conta.admin.expect(200, 'GET', query))).not.toContain('ABC1D23')
})

it('removes passages by their age, except those of held events, whose pictures stay', async () => {
  await fresh('Doca')
  const now = app.clock.now()
  const [old, held] = [await passage('ABC1D23', now - 3_600_000), await passage('XYZ9876', now - 1_800_000)]
  await hold(await eventoOf(held))
  const files = Object.values(await rowOf(old).then((row) => [row?.foto_path, row?.foto_placa_path]))
  await conta.admin.expect(200, 'PATCH', `/api/v1/empresas/${conta.empresaId}/retencao`, {
    passagens: { dias: 1 },
    eventos: { dias: 3_650 },
    imagens: { dias: 3_650 },
  })
  const young = { now: () => now + DAY_MS - 60_000 }
  const aged = { now: () => now + 2 * DAY_MS }
  const deps = { db: backstage.db, media: await media(), log: pino({ level: 'silent' }) }
  await sweepEmpresa({ ...deps, clock: young }, conta.empresaId, new AbortController().signal)
  expect(await rowOf(old)).toBeDefined()
  await sweepEmpresa({ ...deps, clock: aged }, conta.empresaId, new AbortController().signal)
  expect([await rowOf(old), await rowOf(held)]).toEqual([undefined, expect.anything()])
  expect(await Promise.all(files.map(exists))).toEqual([false, false])
  const left = await rowOf(held)
  expect(await Promise.all([left?.foto_path, left?.foto_placa_path].map(exists))).toEqual([true, true])
  const removed = await backstage.db
    .selectFrom('apagados_retencao')
    .select(['tipo', 'quantos'])
    .where('empresa_id', '=', conta.empresaId)
    .execute()
  expect(removed).toEqual([{ tipo: 'passagens', quantos: 1 }])
})
