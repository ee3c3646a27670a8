import { randomBytes } from 'node:crypto'
import type { Cadastrar } from '@vigia/contracts/gravadores'
import { freshFixture } from '@vigia/testing/fixture'
import { beforeEach, expect, it } from 'vitest'
import { openSources } from '../../../adapters/camera-sources.ts'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { listGravadorCameras } from '../../../db/cameras.ts'
import { findGravador } from '../../../db/gravadores.ts'
import type { Caller } from '../../../http/caller.ts'
import { operatorCaller as operator } from '../../../test/clients/operator-caller.ts'
import { openOneEmpresa } from '../../../test/clouds/one-empresa.ts'
import { registerGravador } from '../cadastro/register-gravador.ts'
import { createCamera } from '../cameras/create-camera.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { readDesired } from '../edges/store.ts'
import { changeGravador, removeGravador } from './change-gravador.ts'
import { createGravador } from './create-gravador.ts'
import { openGravador } from './gravador-sources.ts'

const SENHA = 's3nh@:/ç'

const stage = freshFixture(openOneEmpresa)
let deps: DesiredDeps
let published: number[]
beforeEach(() => {
  published = []
  const desired = { changed: (edgeId: number) => void published.push(edgeId) }
  deps = { db: stage.db, clock: { now: () => Date.now() }, box: createSecretBox(randomBytes(32)), desired }
})

const edge = async (change: object = {}) => {
  const row = { nome: 'X', empresa_id: stage.empresaId, local: 0, ativado_em: 1, criado_em: 0, ...change } as const
  return (await stage.db.insertInto('edges').values(row).returning('id').executeTakeFirstOrThrow()).id
}
const versions = async () =>
  Object.fromEntries(
    (await stage.db.selectFrom('edges').select(['id', 'desejado_versao']).execute()).map((row) => [
      row.id,
      row.desejado_versao,
    ]),
  )
const access = { fabricante: 'hikvision', host: '127.0.0.9', porta: 554, usuario: 'ana', senha: SENHA } as const
/** No test here sends a command to an edge. */
const askNobody = () => Promise.reject(new Error('unexpected command to an edge'))
const register = (more: Partial<Cadastrar> = {}) =>
  registerGravador(
    deps,
    operator,
    {
      ...access,
      num_canais: 8,
      empresa_id: stage.empresaId,
      nome_gravador: '',
      canais: [1, 2, 3],
      ...more,
    },
    askNobody,
  )
const sources = async (id: number) =>
  (await listGravadorCameras(stage.db, id)).map((camera) => openSources(deps.box, camera).rtsp_url)

it('publishes each edge once per registration or change, after the commit', async () => {
  const [a, b] = [await edge(), await edge()]
  const { gravador_id } = await register({ edge_id: a })
  expect([await versions(), published]).toEqual([{ [a]: 2, [b]: 1 }, [a]])

  const fourth = { nome: 'C', gravador_id, canal: 4 }
  await expect(createCamera(deps, operator, { ...fourth, edge_id: b }, askNobody)).rejects.toMatchObject({
    code: 'validacao',
  })
  await expect(register({ canais: [4], edge_id: b })).rejects.toMatchObject({ code: 'validacao' })
  const { id } = await createCamera(deps, operator, fourth, askNobody)
  expect([await versions(), published]).toEqual([{ [a]: 3, [b]: 1 }, [a, a]])
  // The removal of an edge may leave this state.
  await stage.db.updateTable('cameras').set({ edge_id: b }).where('id', '=', id).execute()
  await changeGravador(deps, operator, gravador_id, { senha: 'nova' })
  expect([await versions(), published]).toEqual([{ [a]: 4, [b]: 2 }, [a, a, a, b]])
  // None of these changes reaches an edge.
  for (const patch of [{ senha: 'nova' }, { senha: '****' }, { nome: 'Outro' }, { num_canais: 9 }, {}])
    await changeGravador(deps, operator, gravador_id, patch)
  await register({ canais: [1], senha: 'nova', nome_gravador: 'Outro', num_canais: 9 })
  expect([await versions(), published]).toEqual([{ [a]: 4, [b]: 2 }, [a, a, a, b]])
  // New cameras and a new password in one request.
  await register({ canais: [1, 5], senha: 'terceira' })
  expect([await versions(), published.slice(4).sort()]).toEqual([{ [a]: 5, [b]: 3 }, [a, b]])
  expect(await sources(gravador_id)).toEqual(
    [1, 2, 3, 4, 5].map((canal) => `rtsp://ana:terceira@127.0.0.9:554/Streaming/Channels/${canal}01`),
  )
})

it('sends the declared limit of connections with each camera, and publishes a change of it', async () => {
  const a = await edge({ chave_cifra_json: '{}' })
  const { gravador_id } = await register({ edge_id: a, canais: [1, 2] })
  const limits = async () => (await readDesired(stage.db, a))?.cameras.map(({ max_conexoes }) => max_conexoes)
  expect(await limits()).toEqual([null, null])
  const changed = await changeGravador(deps, operator, gravador_id, { max_conexoes: 2 })
  expect([changed.max_conexoes, await limits(), published]).toEqual([2, [2, 2], [a, a]])
  // Another registration of the gravador keeps it.
  await register({ canais: [3], edge_id: a })
  expect(await limits()).toEqual([2, 2, 2])
  await changeGravador(deps, operator, gravador_id, { max_conexoes: null })
  expect([await limits(), await versions()]).toEqual([[null, null, null], { [a]: 5 }])
})

it('publishes nothing after a refused change', async () => {
  const a = await edge()
  const { gravador_id } = await register({ edge_id: a })
  await stage.db.updateTable('empresas').set({ limite_cameras: 3 }).execute()
  await expect(register({ senha: 'outra', canais: [1, 4] })).rejects.toMatchObject({ code: 'conflito' })
  await expect(changeGravador(deps, operator, gravador_id, { senha: 'outra', num_canais: 2 })).rejects.toMatchObject({
    code: 'validacao',
  })
  expect([await versions(), published]).toEqual([{ [a]: 2 }, [a]])
  expect((await sources(gravador_id)).some((url) => url.includes('outra'))).toBe(false)
})

it('keeps all cameras of a gravador on one edge, preferably an activated one', async () => {
  const [waiting, active] = [await edge({ ativado_em: null }), await edge()]
  const { gravador_id, cameras } = await register({ canais: [1, 2] })
  expect(cameras.map(({ edge_id }) => edge_id)).toEqual([active, active])
  const idle = await edge()
  expect((await register({ canais: [3] })).cameras[0]?.edge_id).toBe(active)
  expect(await createCamera(deps, operator, { nome: 'C', gravador_id, canal: 4 }, askNobody)).toMatchObject({
    edge_id: active,
  })
  expect((await register({ host: '127.0.0.10' })).cameras[0]?.edge_id).toBe(idle)
  // The named edge stays the edge of the gravador.
  const other = await createGravador(deps, operator, {
    ...access,
    host: '127.0.0.11',
    nome: '',
    num_canais: 4,
    empresa_id: stage.empresaId,
    edge_id: waiting,
  })
  expect(await createCamera(deps, operator, { nome: 'C', gravador_id: other.id, canal: 1 }, askNobody)).toMatchObject({
    edge_id: waiting,
  })
})

it('prefers activated edges, then edges in `aguardando`, then the local edge', async () => {
  const local = await edge({ empresa_id: null, local: 1 })
  expect((await register({ canais: [1] })).cameras[0]?.edge_id).toBe(local)
  const waiting = await edge({ ativado_em: null })
  expect((await register({ host: '127.0.0.10', canais: [1] })).cameras[0]?.edge_id).toBe(waiting)
})

it('seals the password for its gravador', async () => {
  const { id } = await createGravador(deps, operator, {
    ...access,
    nome: '',
    num_canais: 4,
    empresa_id: stage.empresaId,
  })
  const row = await findGravador(stage.db, id)
  if (!row) throw new Error('no recorder')
  expect(JSON.stringify(row)).not.toContain(SENHA)
  expect(openGravador(deps.box, row).senha).toBe(SENHA)
  expect(() => openGravador(deps.box, { ...row, id: id + 1 })).toThrow()
})

it('refuses the papel usuario before all other checks', async () => {
  const reader: Caller = { ...operator, papel: 'usuario', escopo: new Set() }
  const refused = { code: 'proibido' }
  const input = { ...access, num_canais: 8, empresa_id: stage.empresaId, nome_gravador: '', canais: [1] }
  await expect(registerGravador(deps, reader, input, askNobody)).rejects.toMatchObject(refused)
  await expect(createGravador(deps, reader, { ...input, nome: '' })).rejects.toMatchObject(refused)
  await expect(changeGravador(deps, reader, 1, {})).rejects.toMatchObject(refused)
  await expect(removeGravador(deps, reader, 1)).rejects.toMatchObject(refused)
})
