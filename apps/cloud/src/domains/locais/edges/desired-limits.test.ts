import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { nomesIas } from '@vigia/contracts/ias'
import { nomesPerfis } from '@vigia/contracts/perfis'
import { createSealKeyPair } from '@vigia/link/sealed'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSources } from '../../../adapters/camera-sources.ts'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import type { Database } from '../../../db/open.ts'
import { operatorCaller as operator } from '../../../test/clients/operator-caller.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedOneCamera } from '../../../test/records/records.ts'
import { changeEmpresa } from '../../pessoas/empresas/change-empresa.ts'
import { insertEmpresa } from '../../pessoas/empresas/store.ts'
import { registerGravador } from '../cadastro/register-gravador.ts'
import { changeCamera } from '../cameras/change-camera.ts'
import { createCamera } from '../cameras/create-camera.ts'
import { changeGravador } from '../gravadores/change-gravador.ts'
import { buildDesired } from './build-desired.ts'
import { deleteEdge } from './change-edge.ts'
import { createEdge, MAX_EDGES } from './create-edge.ts'
import { MAX_CAMERA_BYTES, MAX_EDGE_BYTES, MAX_EMPRESA_BYTES, MAX_TREE_BYTES } from './desired-limits.ts'
import { recountSizes } from './recount-sizes.ts'
import { readDesired } from './store.ts'

const RTSP = 'rtsp://ana:s3nha@127.0.0.9/1'
const log = pino({ level: 'silent' })

let dir: string
let db: Database
let box: ReturnType<typeof createSecretBox>
let deps: Parameters<typeof createCamera>[0] & Parameters<typeof deleteEdge>[0] & Parameters<typeof changeEmpresa>[0]
beforeEach(async () => {
  dir = temporaryFolder('vigia-limits-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  box = createSecretBox(randomBytes(32))
  const quiet = { desired: { changed: () => {} }, allowed: { changed: async () => {} }, sessionEnded: () => {} }
  deps = { db, clock: { now: () => Date.now() }, box, dominioNeutro: null, ...quiet }
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const empresa = async (empresa_pai_id: number | null = null) => {
  const row = { nome: 'E', empresa_pai_id, fuso_horario: 'America/Sao_Paulo', limite_cameras: 999, criada_em: 0 }
  return (await insertEmpresa(db, row)).id
}
/** Inserts an activated edge. @param empresa_id null: the local edge */
const edge = async (empresa_id: number | null) => {
  const { publicJwk } = await createSealKeyPair()
  const row = { nome: 'X', empresa_id, local: empresa_id === null ? 1 : 0, criado_em: 0, ativado_em: 1 } as const
  const key = { chave_cifra_json: JSON.stringify(publicJwk) }
  return (
    await db
      .insertInto('edges')
      .values({ ...row, ...key })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
}
const create = (empresa_id: number, more: object = {}) =>
  createCamera(deps, operator, { nome: 'C', rtsp_url: RTSP, empresa_id, ...more }, () =>
    Promise.reject(new Error('asked')),
  )
const rename = (id: number, nome: string) => changeCamera(deps, operator, id, { nome })
const counted = async (edgeId: number) => {
  const rows = await db.selectFrom('cameras').select('desejado_bytes').where('edge_id', '=', edgeId).execute()
  return rows.reduce((sum, { desejado_bytes }) => sum + (desejado_bytes ?? 0), 0)
}
const message = async (edgeId: number) => {
  const rows = await readDesired(db, edgeId)
  if (!rows) throw new Error('no such edge')
  return Buffer.byteLength(JSON.stringify(await buildDesired(rows, (camera) => openSources(box, camera))))
}
/** Stores a camera that takes `bytes` bytes of the desired state. */
const fill = (empresaId: number, edgeId: number, bytes: number) =>
  seedOneCamera(db, empresaId, edgeId, { desejado_bytes: bytes })
const conflict = (detalhe: RegExp) =>
  expect.objectContaining({ code: 'conflito', detalhe: expect.stringMatching(detalhe) })
/** Returns `count` points, each coordinate with the maximum number of digits. */
const points = (count: number) =>
  Array.from({ length: count }, (_, i) => [0.1234567890123456 + i / 1e4, Math.sin(i) / 3 + 0.5])

describe('the count', () => {
  it('is an upper bound of the message size, and close to it', async () => {
    const [own, local] = [await empresa(), await edge(null)]
    const cameras = []
    for (const perfil of nomesPerfis) cameras.push(await create(own, { perfil, nome: `Câmera "${perfil}" 🚪\\` }))
    for (const [i, camera] of cameras.entries())
      await changeCamera(deps, operator, camera.id, {
        zonas: points(3 + i * 40),
        linha: [[0.1234567890123456, 0.2, 0.3, 0.987654321]],
        agenda: Object.fromEntries(nomesIas.map((ia) => [ia, { inicio: 10, fim: 22, dias: [0, 1, 2, 3, 4, 5, 6] }])),
        sub_rtsp_url: `rtsp://ana:s%C3%A9nha"ã@127.0.0.9/${'x'.repeat(i * 31)}`,
        ...(i % 2 === 0 && { ativa: false, eventos_habilitados: [...nomesIas], config_ia: { fogo: { conf: 1e-7 } } }),
      })
    const [real, count] = [await message(local), await counted(local)]
    expect(real).toBeLessThan(count + 256)
    // The time zone and the last sequence number count at their maximum length.
    expect(count - real).toBeLessThan(cameras.length * (64 + 16))

    await changeEmpresa(deps, operator, own, { fuso_horario: 'America/Argentina/ComodRivadavia' })
    await db
      .insertInto('sequencias')
      .values(cameras.map(({ id }) => ({ camera_id: id, edge_id: local, ultimo_seq: 2 ** 53 - 1 }) as never))
      .execute()
    expect(await message(local)).toBeGreaterThan(real)
    expect(await message(local)).toBeLessThan(count + 256)
    expect(await counted(local)).toBe(count)
  })

  it('is repeated at the start for rows of other releases', async () => {
    const own = await empresa()
    const edgeId = await edge(own)
    await create(own)
    await create(own, { perfil: 'obra' })
    const right = await counted(edgeId)
    for (const desejado_bytes of [null, 1]) {
      await db.updateTable('cameras').set({ desejado_bytes }).execute()
      await recountSizes({ db, box, log })
      expect(await counted(edgeId)).toBe(right)
    }
  })
})

describe('a camera', () => {
  it('may have 512 points with all IAs, but not addresses of unlimited length', async () => {
    const own = await empresa()
    const { id } = await create(own)
    await changeCamera(deps, operator, id, { zonas: points(512), eventos_habilitados: [...nomesIas] })
    const long = `rtsp://127.0.0.9/${'日'.repeat(2000)}`
    await expect(changeCamera(deps, operator, id, { rtsp_url: long })).rejects.toEqual(
      conflict(/^Configuração grande demais: a da câmera "C" teria [\d.]+ kB, e o máximo é 16 kB por câmera\. Use/),
    )
    await expect(create(own, { rtsp_url: long, sub_rtsp_url: long })).rejects.toEqual(conflict(/16 kB por câmera/))
    expect(await db.selectFrom('cameras').select('id').execute()).toHaveLength(1)
    expect(await db.selectFrom('auditoria').select('id').execute()).toHaveLength(2)
  })

  it('may change but not grow if it is already too large', async () => {
    const own = await empresa()
    const id = await seedOneCamera(db, own, await edge(own), {
      desejado_bytes: 50_000,
      zonas_json: JSON.stringify([
        Array.from({ length: 512 }, () => 0.12345),
        ...Array.from({ length: 20 }, () => points(100).flat()),
      ]),
    })
    await recountSizes({ db, box, log })
    const before = (await db.selectFrom('cameras').selectAll().executeTakeFirstOrThrow()).desejado_bytes
    expect(before).toBeGreaterThan(MAX_CAMERA_BYTES)
    await changeCamera(deps, operator, id, { ativa: false })
    await expect(rename(id, 'Portão da frente')).rejects.toEqual(conflict(/16 kB por câmera/))
    await rename(id, 'P')
    await changeCamera(deps, operator, id, { zonas: null })
    expect((await db.selectFrom('cameras').selectAll().executeTakeFirstOrThrow()).desejado_bytes).toBeLessThan(2000)
  })
})

describe('on the edge of the installation', () => {
  it('refuses growth only for the Empresa at its limit', async () => {
    const [a, b, local] = [await empresa(), await empresa(), await edge(null)]
    const mine = await create(a)
    const theirs = await create(b)
    await fill(a, local, MAX_EMPRESA_BYTES - (await counted(local)) + 300)
    await expect(create(a)).rejects.toEqual(
      conflict(/as câmeras da Empresa na caixa da instalação teriam .* 1\.024 kB por Empresa/),
    )
    await expect(rename(mine.id, 'x'.repeat(200))).resolves.toBeTruthy()
    await expect(changeCamera(deps, operator, mine.id, { zonas: points(200) })).rejects.toEqual(conflict(/por Empresa/))
    await expect(changeCamera(deps, operator, mine.id, { ativa: false })).resolves.toBeTruthy()

    await changeCamera(deps, operator, theirs.id, { zonas: points(512) })
    await create(b)
    // An edge of the Empresa has its own message.
    const own = await edge(a)
    expect(await create(a)).toMatchObject({ edge_id: own })
  })

  it('limits an account by the sum of all its Empresas', async () => {
    const [root, stranger, local] = [await empresa(), await empresa(), await edge(null)]
    const [first, second, third] = [await empresa(root), await empresa(root), await empresa(root)]
    await fill(first, local, MAX_EMPRESA_BYTES)
    await create(second)
    await fill(second, local, MAX_TREE_BYTES - (await counted(local)))
    await expect(create(third)).rejects.toEqual(conflict(/todas as Empresas da conta .* 2\.048 kB por conta/))
    await expect(create(root)).rejects.toEqual(conflict(/por conta/))
    await create(stranger)
  })

  it('serializes concurrent creations', async () => {
    const [a, local] = [await empresa(), await edge(null)]
    const { id } = await create(a)
    const { desejado_bytes } = await db.selectFrom('cameras').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await fill(a, local, MAX_EMPRESA_BYTES - Math.ceil(3.5 * (desejado_bytes ?? 0)))
    const done = await Promise.allSettled(Array.from({ length: 6 }, () => create(a)))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await counted(local)).toBeLessThanOrEqual(MAX_EMPRESA_BYTES)
  })
})

describe('on an edge of its own', () => {
  const cadastro = (empresa_id: number, canais: number[], senha = 's') =>
    ({
      fabricante: 'intelbras' as const,
      host: '127.0.0.9',
      porta: 554,
      usuario: 'admin',
      senha,
      num_canais: 64,
      empresa_id,
      canais,
      nome_gravador: '',
    }) as const

  it('limits cameras, gravadores and their passwords by the message size', async () => {
    const own = await empresa()
    const edgeId = await edge(own)
    const { gravador_id } = await registerGravador(deps, operator, cadastro(own, [1, 2, 3]), () => Promise.reject())
    const used = await counted(edgeId)
    const filler = await fill(own, edgeId, MAX_EDGE_BYTES - used - 100)
    const full = conflict(new RegExp(`^Configuração grande demais: a da caixa ${edgeId} teria .* 6\\.291 kB por caixa`))
    await expect(create(own)).rejects.toEqual(full)
    await expect(registerGravador(deps, operator, cadastro(own, [4]), () => Promise.reject())).rejects.toEqual(full)
    await expect(changeGravador(deps, operator, gravador_id, { senha: 'x'.repeat(100) })).rejects.toEqual(full)
    expect(await counted(edgeId)).toBe(MAX_EDGE_BYTES - 100)
    await changeGravador(deps, operator, gravador_id, { senha: 't' })
    await db.deleteFrom('cameras').where('id', '=', filler).execute()
    await registerGravador(deps, operator, cadastro(own, [4], 'x'.repeat(100)), () => Promise.reject())
  })

  it('refuses to remove an edge, or to create one, if its cameras do not fit', async () => {
    const [own, local] = [await empresa(), await edge(null)]
    const edgeId = await edge(own)
    await create(own, { edge_id: edgeId })
    await fill(own, local, MAX_EMPRESA_BYTES)
    await expect(deleteEdge(deps, operator, edgeId)).rejects.toEqual(conflict(/por Empresa/))
    expect(await db.selectFrom('edges').select('id').where('id', '=', edgeId).execute()).toHaveLength(1)
    await db.updateTable('cameras').set({ desejado_bytes: 5 }).where('edge_id', '=', local).execute()
    await deleteEdge(deps, operator, edgeId)

    await db.updateTable('cameras').set({ edge_id: null, desejado_bytes: MAX_EDGE_BYTES }).execute()
    await expect(createEdge(deps, operator, { nome: 'Caixa', empresa_id: own })).rejects.toEqual(conflict(/por caixa/))
  })
})

it('limits the edges of an installation to the capacity of the list of certificates', async () => {
  const own = await empresa()
  const row = { nome: 'X', empresa_id: own, local: 0, criado_em: 0 } as const
  await db.updateTable('empresas').set({ limite_edges: 100_000 }).execute()
  for (let i = 0; i < MAX_EDGES - 1; i += 2000)
    await db
      .insertInto('edges')
      .values(Array.from({ length: Math.min(2000, MAX_EDGES - 1 - i) }, () => row))
      .execute()
  await createEdge(deps, operator, { nome: 'Caixa', empresa_id: own })
  await expect(createEdge(deps, operator, { nome: 'Caixa', empresa_id: own })).rejects.toEqual(
    conflict(/A instalação já tem 40\.000 caixas/),
  )
})
