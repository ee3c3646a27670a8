import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSources } from '../../../adapters/camera-sources.ts'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { findCamera } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { operatorCaller as operator } from '../../../test/clients/operator-caller.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { insertEmpresa } from '../../pessoas/empresas/store.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { changeCamera } from './change-camera.ts'
import { createCamera } from './create-camera.ts'
import { removeCamera } from './remove-camera.ts'

const RTSP = 'rtsp://ana:s3nha@127.0.0.9/1'

let dir: string
let db: Database
let deps: DesiredDeps
let published: number[]
beforeEach(async () => {
  dir = temporaryFolder('vigia-cameras-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  published = []
  const desired = { changed: (edgeId: number) => void published.push(edgeId) }
  deps = { db, clock: { now: () => Date.now() }, box: createSecretBox(randomBytes(32)), desired }
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const empresa = async (limite_cameras = 64) =>
  (
    await insertEmpresa(db, {
      nome: 'E',
      empresa_pai_id: null,
      fuso_horario: 'America/Sao_Paulo',
      limite_cameras,
      criada_em: 0,
    })
  ).id
const edge = async (empresa_id: number | null) => {
  const local = empresa_id === null ? 1 : 0
  const row = { nome: 'X', empresa_id, local, criado_em: 0 } as const
  return (await db.insertInto('edges').values(row).returning('id').executeTakeFirstOrThrow()).id
}
const version = async (id: number) =>
  (await db.selectFrom('edges').select('desejado_versao').where('id', '=', id).executeTakeFirstOrThrow())
    .desejado_versao
/** No test here sends a command to an edge. */
const askNobody = () => Promise.reject(new Error('unexpected command to an edge'))
const create = (empresa_id: number, more: object = {}) =>
  createCamera(deps, operator, { nome: 'C', rtsp_url: RTSP, empresa_id, ...more }, askNobody)

it('assigns a camera to the least loaded edge of the Empresa, else to the local one', async () => {
  const [a, b] = [await empresa(), await empresa()]
  const local = await edge(null)
  const [first, second] = [await edge(a), await edge(a)]
  const chosen = [await create(a), await create(a), await create(a), await create(b)].map(({ edge_id }) => edge_id)
  expect(chosen).toEqual([first, second, first, local])
  expect(await create(a, { edge_id: second })).toMatchObject({ edge_id: second })
  expect(await create(a, { edge_id: local })).toMatchObject({ edge_id: local })
  await expect(create(b, { edge_id: first })).rejects.toMatchObject({ code: 'validacao' })
  await expect(create(a, { edge_id: 999 })).rejects.toMatchObject({ code: 'nao_encontrado' })
  const outsider: Caller = { ...operator, empresaId: b, escopo: new Set([b]) }
  const foreign = { nome: 'C', rtsp_url: RTSP, empresa_id: b, edge_id: first }
  await expect(createCamera(deps, outsider, foreign, askNobody)).rejects.toMatchObject({ code: 'nao_encontrado' })
})

it('raises the version only for changes that the edge needs', async () => {
  const own = await empresa()
  const [edgeId, other] = [await edge(own), await edge(await empresa())]
  const { id } = await create(own)
  let expected = 2
  expect(await version(edgeId)).toBe(expected)
  for (const patch of [
    { nome: 'Outro' },
    { ativa: false },
    {
      zonas: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    },
    {
      linha: [
        [0, 0],
        [1, 1],
      ],
    },
    { eventos_habilitados: ['fogo' as const] },
    { config_ia: { fogo: { conf: 0.7 } } },
    { agenda: { fogo: { inicio: 1, fim: 2, dias: [] } } },
    { rtsp_url: 'rtsp://ana:nova@127.0.0.9/1' },
    { sub_rtsp_url: 'rtsp://ana:****@127.0.0.9/2' },
  ]) {
    await changeCamera(deps, operator, id, patch)
    await changeCamera(deps, operator, id, patch) // ignores a repeated value
    expected += 1
    expect([patch, await version(edgeId)]).toEqual([patch, expected])
  }
  await changeCamera(deps, operator, id, { instrucoes: ['x'], modo_b_config: null })
  expect(await version(edgeId)).toBe(expected)
  await removeCamera(deps, operator, id)
  expect(await version(edgeId)).toBe(expected + 1)
  expect(await version(other)).toBe(1)
  expect(published).toEqual(Array.from({ length: expected }, () => edgeId))
})

it('seals the addresses for their camera and keeps passwords through masked changes', async () => {
  const { id } = await create(await empresa(), { sub_rtsp_url: 'rtsp://ana:sub@127.0.0.9/2' })
  const stored = async () => {
    const row = await findCamera(db, id)
    if (!row) throw new Error('no camera')
    return row
  }
  const row = await stored()
  expect(openSources(deps.box, row)).toEqual({ rtsp_url: RTSP, sub_rtsp_url: 'rtsp://ana:sub@127.0.0.9/2' })
  // A sealed address does not open in another camera or another column.
  expect(() => openSources(deps.box, { ...row, id: id + 1, sub_rtsp_url_cifrada: null })).toThrow()
  const other = await create(row.empresa_id)
  const otherRow = await findCamera(db, other.id)
  const mixed = { ...row, rtsp_url_cifrada: otherRow?.rtsp_url_cifrada ?? '', id: other.id }
  expect(() => openSources(deps.box, mixed)).toThrow()
  expect(() => openSources(deps.box, { ...row, rtsp_url_cifrada: row.sub_rtsp_url_cifrada ?? '' })).toThrow()

  const masked = 'rtsp://ana:****@127.0.0.9/2'
  await changeCamera(deps, operator, id, { rtsp_url: 'rtsp://ana:nova@127.0.0.9/1', sub_rtsp_url: masked })
  expect(openSources(deps.box, await stored()).sub_rtsp_url).toBe('rtsp://ana:sub@127.0.0.9/2')
  await changeCamera(deps, operator, id, { sub_rtsp_url: null })
  await changeCamera(deps, operator, id, { sub_rtsp_url: masked })
  expect(openSources(deps.box, await stored()).sub_rtsp_url).toBe('rtsp://ana:nova@127.0.0.9/2')
})

it('counts disabled cameras against the quota and releases it on removal', async () => {
  const own = await empresa(1)
  const { id } = await create(own)
  await changeCamera(deps, operator, id, { ativa: false })
  await expect(create(own)).rejects.toMatchObject({ code: 'conflito' })
  await removeCamera(deps, operator, id)
  await create(own)
})

it('refuses the papel usuario before all other checks', async () => {
  const reader: Caller = { ...operator, papel: 'usuario', escopo: new Set() }
  await expect(createCamera(deps, reader, { nome: 'C', rtsp_url: RTSP }, askNobody)).rejects.toMatchObject({
    code: 'proibido',
  })
  await expect(changeCamera(deps, reader, 1, {})).rejects.toMatchObject({ code: 'proibido' })
  await expect(removeCamera(deps, reader, 1)).rejects.toMatchObject({ code: 'proibido' })
})
