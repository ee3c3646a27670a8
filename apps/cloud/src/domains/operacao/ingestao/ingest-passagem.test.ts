import { randomUUID } from 'node:crypto'
import type { ModoBConfig } from '@vigia/contracts/cameras'
import { freshFixture } from '@vigia/testing/fixture'
import { afterEach, expect, it } from 'vitest'
import { NOON, openIngestStage } from '../../../test/clouds/ingest-stage.ts'
import { batch, candidate, type HeldRecord, passage } from '../../../test/records/records.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { ingestBatch } from './ingest-batch.ts'

const stage = freshFixture(openIngestStage)
afterEach(async () => {
  await expectCountsRight(stage.db)
  await expectIncidentesRight(stage.db)
})

const send = async (...records: HeldRecord[]) => {
  const ingested = await ingestBatch(stage.deps, stage.edgeId, batch(records))
  if (!ingested.ok) throw new Error(ingested.motivo)
  return ingested.respostas.map(({ resultado }) => resultado)
}
const stored = () => stage.db.selectFrom('passagens').selectAll().orderBy('id').execute()
const events = () => stage.db.selectFrom('eventos').selectAll().orderBy('id').execute()
const list = (placa: string, lista: 'permitida' | 'bloqueada', validade: number | null = null) =>
  stage.db
    .insertInto('placas')
    .values({ empresa_id: stage.empresaId, placa, lista, validade, criada_em: 0, atualizada_em: 0 })
    .execute()
const configure = (config: Partial<ModoBConfig>) =>
  stage.db
    .updateTable('cameras')
    .set({ modo_b_config_json: JSON.stringify({ ativo: true, ...config }) })
    .where('id', '=', stage.cameraId)
    .execute()

it('stores a passage with its pictures, in the sequence of its camera, and no event', async () => {
  const first = passage(stage.cameraId, 1)
  expect(await send(first, candidate(stage.cameraId, 2), passage(stage.cameraId, 3, { foto: null }))).toEqual([
    'gravado',
    'gravado',
    'gravado',
  ])
  const [one, other] = await stored()
  expect(one).toMatchObject({ placa: 'ABC1D23', situacao: 'desconhecida', veiculo: 'car', evento_id: null, fim: null })
  expect(await stage.deps.media.read(one?.foto_path ?? '')).toEqual(first.midias[0])
  expect(other).toMatchObject({ foto_path: null, foto_placa_path: null })
  expect((await events()).map(({ seq }) => seq)).toEqual([2])
  const { ultimo_seq } = await stage.db.selectFrom('sequencias').select('ultimo_seq').executeTakeFirstOrThrow()
  expect(ultimo_seq).toBe(3)
})

it('changes nothing when a record arrives again, or an older revision later', async () => {
  const passagem = randomUUID()
  const newer = passage(stage.cameraId, 1, { change: { passagem, revisao: 2, fim: 1_790_000_009_000 } })
  expect(await send(newer)).toEqual(['gravado'])
  expect(await send(newer)).toEqual(['repetido'])
  const older = passage(stage.cameraId, 2, { foto: null, change: { passagem, revisao: 1, placa: null } })
  expect(await send(older)).toEqual(['gravado'])
  expect(await stored()).toMatchObject([{ revisao: 2, placa: 'ABC1D23', fim: 1_790_000_009_000 }])
})

it('updates one passage by its later revisions, and keeps pictures that none replaces', async () => {
  const passagem = randomUUID()
  await send(passage(stage.cameraId, 1, { change: { passagem } }))
  const [before] = await stored()
  const fim = 1_790_000_009_000
  await send(passage(stage.cameraId, 2, { foto: null, change: { passagem, revisao: 2, fim, direcao: 'ab' } }))
  const [{ registro_json, linha_bytes, ...after } = { registro_json: null, linha_bytes: 0 }] = await stored()
  expect({ ...after, registro_json: before?.registro_json, linha_bytes: before?.linha_bytes }).toEqual({
    ...before,
    revisao: 2,
    fim,
    direcao: 'ab',
    ocorrido_em: 1_790_000_000_002,
  })
  expect(linha_bytes).toBeGreaterThan(before?.linha_bytes ?? 0)
  expect(JSON.parse(registro_json ?? '')).toMatchObject({ seq: 2, trilha: 't-2' })
})

it('raises an event of severity alta for a blocked plate, once, with the picture of the passage', async () => {
  await list('ABC1D23', 'bloqueada')
  const passagem = randomUUID()
  await send(passage(stage.cameraId, 1, { change: { passagem } }))
  await send(passage(stage.cameraId, 2, { change: { passagem, revisao: 2, fim: 1_790_000_009_000 } }))
  const [row] = await stored()
  const all = await events()
  expect(all).toHaveLength(1)
  expect(all[0]).toMatchObject({ tipo: 'placa', gravidade: 'alta', crop_path: row?.foto_path, id: row?.evento_id })
  expect(JSON.parse(all[0]?.detalhes_json ?? '')).toEqual({
    passagem_id: row?.id,
    placa: 'ABC1D23',
    confianca_placa: 0.95,
    lista: 'bloqueada',
  })
})

it('raises another event when a later revision corrects the plate to a blocked one', async () => {
  await list('ABC1D23', 'bloqueada')
  await configure({ alertar_desconhecidas: true })
  const passagem = randomUUID()
  const placa = { placa: 'A8C1D23', pais: 'BR', forma: 'mercosul' as const, confianca: 0.85 }
  await send(passage(stage.cameraId, 1, { change: { passagem, placa } }))
  await send(passage(stage.cameraId, 2, { change: { passagem, revisao: 2 } }))
  expect((await events()).map(({ gravidade }) => gravidade)).toEqual(['media', 'alta'])
})

it('alerts on unknown and allowed plates only where the camera asks for it', async () => {
  await list('ABC1D23', 'permitida')
  await send(passage(stage.cameraId, 1))
  await configure({ alertar_permitidas: true })
  await send(passage(stage.cameraId, 2))
  await configure({ alertar_desconhecidas: true, permitidas: [], bloqueadas: [] })
  await stage.db.deleteFrom('placas').execute()
  await send(passage(stage.cameraId, 3))
  expect((await events()).map(({ gravidade, seq }) => [seq, gravidade])).toEqual([
    [2, 'baixa'],
    [3, 'media'],
  ])
})

it('uses the plates of the camera too, and no expired entry, and none of another Empresa', async () => {
  await configure({ bloqueadas: ['ABC1D23'] })
  await send(passage(stage.cameraId, 1))
  await configure({})
  await list('ABC1D23', 'bloqueada', NOON - 1)
  await send(passage(stage.cameraId, 2))
  await stage.db
    .updateTable('placas')
    .set({ empresa_id: stage.empresaId + 1, validade: null })
    .execute()
  await send(passage(stage.cameraId, 3))
  expect((await stored()).map(({ situacao }) => situacao)).toEqual(['bloqueada', 'desconhecida', 'desconhecida'])
})

it('names entry and exit by the role of the camera', async () => {
  await configure({ local: 'Doca', papel: 'ambos', sentido_entrada: 'ba' })
  for (const [at, direcao] of (['ab', 'ba', null] as const).entries())
    await send(passage(stage.cameraId, at + 1, { change: { direcao } }))
  await configure({ local: 'Doca', papel: 'entrada' })
  await send(passage(stage.cameraId, 4))
  expect((await stored()).map(({ sentido, local }) => [sentido, local])).toEqual([
    ['saida', 'Doca'],
    ['entrada', 'Doca'],
    [null, 'Doca'],
    ['entrada', 'Doca'],
  ])
})

it('refuses a passage whose picture is no JPEG, and continues the sequence', async () => {
  const broken = passage(stage.cameraId, 1, { foto: Buffer.from('no picture') })
  expect(await send(broken, passage(stage.cameraId, 2))).toEqual(['recusado', 'gravado'])
  expect(await stored()).toHaveLength(1)
})
