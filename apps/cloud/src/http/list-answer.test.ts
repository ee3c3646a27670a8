import { join } from 'node:path'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { operatorCaller } from '../test/clients/operator-caller.ts'
import { openTestDatabase } from '../test/clouds/template.ts'
import { startTestApp } from '../test/clouds/test-app.ts'
import { copyNewestRow } from '../test/stores/copied-rows-store.ts'
import { answerList, CHUNK } from './list-answer.ts'
import { collectRows } from './row-stream.ts'

interface Item {
  readonly id: number
}

/** More than two chunks, so that a whole list is streamed. */
const COPIES = 2 * CHUNK + 6

describe('lists by pages', () => {
  const app = fixture(startTestApp)
  const account = fixture(() => app.account('Shopping'))

  beforeAll(async () => {
    const { admin, empresaId } = account
    await admin.expect(201, 'POST', '/api/v1/cameras', { nome: 'Doca', rtsp_url: 'rtsp://127.8.0.1/1' })
    // The password of each is sealed with its id, so that a copy of the row cannot be opened.
    const gravador = { fabricante: 'intelbras', porta: 554, usuario: 'ana', senha: 'x', nome: 'DVR' }
    for (let index = 0; index <= COPIES; index += 1) {
      const host = `10.8.${Math.floor(index / 250)}.${(index % 250) + 1}`
      await admin.expect(201, 'POST', '/api/v1/gravadores', { ...gravador, host, empresa_id: empresaId })
    }
    await admin.expect(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
    const db = await openTestDatabase(join(app.dataDir, 'cloud/vigia.db'))
    for (const table of ['cameras', 'edges', 'usuarios'] as const) await copyNewestRow(db, table, COPIES)
    await db.destroy()
  })

  const lists = ['cameras', 'gravadores', 'edges', 'usuarios'] as const
  const ids = (items: readonly Item[]) => items.map(({ id }) => id)

  it.each(lists)('GET /%s is whole without limit and cursor, and in pages with them', async (list) => {
    const whole = await account.admin.expect<Item[]>(200, 'GET', `/api/v1/${list}`)
    expect(whole.length).toBeGreaterThan(COPIES)
    expect(ids(whole)).toEqual(ids(whole).toSorted((a, b) => a - b))

    const paged: Item[] = []
    let path: string | null = `/api/v1/${list}?limit=150`
    while (path !== null) {
      const { status, body, headers }: Page = await account.admin.send<Item[]>('GET', path)
      expect(status).toBe(200)
      expect(headers.get('x-total-count')).toBe(String(whole.length))
      paged.push(...body)
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    expect(paged).toEqual(whole)
  })
  it.each(lists)('GET /%s refuses an unknown cursor and a limit above 200', async (list) => {
    expect((await account.admin.send('GET', `/api/v1/${list}?cursor=x`)).status).toBe(422)
    expect((await account.admin.send('GET', `/api/v1/${list}?limit=201`)).status).toBe(422)
  })
})

interface Page {
  readonly status: number
  readonly body: Item[]
  readonly headers: Headers
}

describe('a whole list', () => {
  const rows = Array.from({ length: COPIES }, (_, index) => ({ id: index + 1 }))
  /** Rows that one read returned. */
  const reads: number[] = []
  const source = {
    path: '/api/v1/cameras',
    count: async () => rows.length,
    read: async (after: number | null, limit: number) => {
      const found = rows.filter(({ id }) => after === null || id > after).slice(0, limit)
      reads.push(found.length)
      return found
    },
    view: (row: Item) => row,
  }
  const ask = async () => {
    const answer = await answerList(operatorCaller, {}, source)
    if (!('rows' in answer)) throw new Error('the list is not streamed')
    return answer.rows
  }

  it('is read in chunks', async () => {
    const items = await collectRows(await ask())
    expect(items).toEqual(rows)
    expect(Math.max(...reads)).toBeLessThanOrEqual(CHUNK + 1)
  })
  it('of a login waits for the one before it, and is refused when too many wait', async () => {
    const first = await ask()
    const order: string[] = []
    const waiting = Array.from({ length: 8 }, async (_, index) => {
      const list = await ask()
      order.push(`list ${index}`)
      return list
    })
    await expect(ask()).rejects.toMatchObject({ code: 'muitas_requisicoes' })
    expect(order).toEqual([])
    first.finished()
    for (const list of waiting) (await list).finished()
    expect(order).toHaveLength(8)
  })
})
