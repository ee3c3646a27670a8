import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../db/open.ts'
import { transact } from '../db/transaction.ts'
import type { RecordFilter } from '../domains/pessoas/auditoria/store.ts'
import { recordsOf } from '../domains/pessoas/auditoria/store.ts'
import { viewRegistro } from '../domains/pessoas/auditoria/view-registro.ts'
import { operatorCaller } from '../test/clients/operator-caller.ts'
import { openTestDatabase } from '../test/clouds/template.ts'
import { type Autor, auditChange, auditOf, type Change, MOST_RECORD_BYTES, sistema } from './audit-change.ts'
import { countingRecords } from './record-rate.ts'

let dir: string
let db: Database
beforeEach(async () => {
  dir = temporaryFolder('vigia-auditoria-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const all: RecordFilter = {
  empresas: null,
  usuarioId: undefined,
  objeto: undefined,
  objetoId: undefined,
  acao: undefined,
  canal: undefined,
  desde: undefined,
  ate: undefined,
}
const list = async () => (await recordsOf(db, all).read({ before: null, limit: 200, offset: 0 })).map(viewRegistro)
const camera: Change = {
  acao: 'alterar',
  objeto: 'camera',
  id: 7,
  nome: 'Doca',
  empresaId: 3,
  antes: { nome: 'Doca', zonas: [1], ativa: true },
  depois: { nome: 'Doca', zonas: [1], ativa: true },
}
const T = Date.parse('2026-11-21T12:00:00Z')
const record = (change: Partial<Change> = {}, autor: Autor = operatorCaller) =>
  auditChange(db, T, autor, { ...camera, ...change })

describe('a record', () => {
  it('names the caller, the entry point, the action and only the fields that differ', async () => {
    const origem = { canal: 'agente', cliente: 'Claude (a1b2)', endereco: '127.0.0.7', pedido: 'p-1' } as const
    await record({ depois: { nome: 'Doca', zonas: [2], ativa: true } }, { ...operatorCaller, origem })
    expect(await list()).toEqual([
      {
        id: 1,
        em: '2026-11-21T12:00:00.000Z',
        empresa_id: 3,
        usuario_id: 1,
        username: 'admin',
        canal: 'agente',
        cliente: 'Claude (a1b2)',
        endereco: '127.0.0.7',
        pedido: 'p-1',
        acao: 'alterar',
        objeto: 'camera',
        objeto_id: 7,
        objeto_nome: 'Doca',
        antes: { zonas: [1] },
        depois: { zonas: [2] },
      },
    ])
  })

  it('exists for an action that changes no field, but not for a change without differing fields', async () => {
    await record()
    expect(await list()).toEqual([])
    await record({ acao: 'reiniciar' })
    expect(await list()).toMatchObject([{ acao: 'reiniciar', antes: null, depois: null }])
  })

  it('contains added and removed fields', async () => {
    await record({ antes: { nome: 'Doca' }, depois: { nome: 'Doca', host: 'a.exemplo' } })
    expect(await list()).toMatchObject([{ antes: {}, depois: { host: 'a.exemplo' } }])
  })

  it('states that a secret changed, without its value', async () => {
    const url = { rtsp_url: 'rtsp://ana:****@dvr/1' }
    await record({ antes: url, depois: url, segredos: ['rtsp_url', 'senha'] })
    await record({ acao: 'criar', antes: null, depois: url, segredos: ['rtsp_url', 'senha'] })
    await record({ antes: url, depois: { rtsp_url: 'rtsp://ana:****@outro/1' }, segredos: ['rtsp_url'] })
    expect((await list()).map(({ antes, depois }) => [antes, depois])).toEqual([
      [url, { rtsp_url: 'rtsp://ana:****@outro/1' }],
      [null, { rtsp_url: 'rtsp://ana:****@dvr/1', senha: '****' }],
      [
        { rtsp_url: 'rtsp://ana:****@dvr/1', senha: '****' },
        { rtsp_url: 'rtsp://ana:****@dvr/1 (outro valor)', senha: '**** (outro valor)' },
      ],
    ])
  })

  it('is cut with a mark where its fields are too long, and stays below 64 KiB', async () => {
    const long = 'ação '.repeat(40_000)
    const lists = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`lista_${i}`, Array(2_000).fill(i)]))
    await record({ antes: { nota: 'curta', nome: 'Doca', ...lists }, depois: { nota: long, nome: 'Cais' } })
    const [{ antes, depois } = { antes: null, depois: null }] = await list()
    expect([antes?.nota, antes?.nome, depois?.nome]).toEqual(['curta', 'Doca', 'Cais'])
    expect(depois?.nota).toMatch(/^(ação )+.{0,5}… \(cortado\)$/)
    expect(antes?.lista_7).toMatch(/^\[7,7,7.*… \(cortado\)$/)
    const rows = await db.selectFrom('auditoria').selectAll().execute()
    expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThan(MOST_RECORD_BYTES)
  })

  it('is not cut where its fields are as long as the settings of a camera', async () => {
    const zonas = Array.from({ length: 2_000 }, (_, i) => i)
    await record({ depois: { nome: 'Doca', zonas, ativa: true } })
    expect(await list()).toMatchObject([{ depois: { zonas } }])
  })

  it('of a long secret is cut as its masked value, with the note that it changed', async () => {
    const url = `rtsp://ana:****@dvr/${'x'.repeat(100_000)}`
    await record({ antes: { rtsp_url: url }, depois: { rtsp_url: url }, segredos: ['rtsp_url'] })
    const [{ depois } = { depois: null }] = await list()
    expect(depois?.rtsp_url).toMatch(/^rtsp:\/\/ana:\*{4}@dvr\/x+… \(cortado\) \(outro valor\)$/)
  })

  it('of the program itself names no login', async () => {
    await record({ acao: 'criar', antes: null }, sistema)
    expect(await list()).toMatchObject([{ canal: 'sistema', usuario_id: null, username: null, endereco: null }])
  })

  it('is part of the transaction of the change', async () => {
    const failing = transact(db, async (tx) => {
      await auditChange(tx, T, operatorCaller, { ...camera, acao: 'criar', antes: null })
      throw new Error('the statement after it fails')
    })
    await expect(failing).rejects.toThrow('the statement after it fails')
    expect(await list()).toEqual([])
  })
})

it('derives the action from the presence of antes and depois', async () => {
  const row = { id: 7, nome: 'Doca' }
  const recordRow = auditOf('camera', ({ id, nome }: typeof row) => ({ id, nome, empresaId: 3, campos: { nome } }))
  await recordRow(db, T, operatorCaller, { antes: null, depois: row })
  await recordRow(db, T, operatorCaller, { antes: row, depois: row })
  await recordRow(db, T, operatorCaller, { antes: row, depois: { ...row, nome: 'Cais' } })
  await recordRow(db, T, operatorCaller, { antes: row, depois: null })
  expect((await list()).map(({ acao, objeto_nome, antes, depois }) => [acao, objeto_nome, antes, depois])).toEqual([
    ['remover', 'Doca', { nome: 'Doca' }, null],
    ['alterar', 'Cais', { nome: 'Doca' }, { nome: 'Cais' }],
    ['criar', 'Doca', null, { nome: 'Doca' }],
  ])
  await expect(recordRow(db, T, operatorCaller, { antes: null, depois: null })).rejects.toThrow('neither')
})

describe('the records of a request', () => {
  const refuse = async () => {
    throw new VigiaError('muitas_requisicoes', { detalhe: 'Mudanças demais.', tentarEmS: 60 })
  }
  const remove = (autor: Autor = operatorCaller) => auditChange(db, T, autor, { ...camera, acao: 'remover' })

  it('are counted one by one, and not a change without differing fields', async () => {
    let counted = 0
    const count = async () => {
      counted += 1
    }
    await countingRecords(count, async () => {
      await remove()
      await remove()
      await record()
    })
    await remove()
    expect([counted, (await list()).length]).toEqual([2, 3])
  })

  it('above the rate refuse the change, which leaves nothing', async () => {
    const change = () =>
      transact(db, async (tx) => {
        await tx.deleteFrom('usuarios').execute()
        await auditChange(tx, T, operatorCaller, { ...camera, acao: 'remover' })
      })
    const before = await db.selectFrom('usuarios').selectAll().execute()
    await expect(countingRecords(refuse, change)).rejects.toMatchObject({ code: 'muitas_requisicoes' })
    expect([await db.selectFrom('usuarios').selectAll().execute(), await list()]).toEqual([before, []])
  })

  it('of the program itself and of an edge have no rate', async () => {
    const edge: Autor = { ...sistema, origem: { ...sistema.origem, canal: 'edge' } }
    await countingRecords(refuse, async () => {
      await remove(sistema)
      await remove(edge)
    })
    expect(await list()).toHaveLength(2)
  })
})
