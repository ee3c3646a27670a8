import { freshFixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { operatorCaller as operator } from '../../../../test/clients/operator-caller.ts'
import { openOneEmpresa } from '../../../../test/clouds/one-empresa.ts'
import { chooseProbeEdge } from './choose-probe-edge.ts'

const NOW = 1_000_000

const stage = freshFixture(openOneEmpresa)

/** Online unless said. */
const edge = async (change: object = {}) => {
  const row = {
    nome: 'X',
    empresa_id: stage.empresaId,
    local: 0,
    ativado_em: 1,
    presente: 1,
    visto_em: NOW,
    criado_em: 0,
  }
  const values = { ...row, ...change } as { nome: string; local: 0 | 1; criado_em: number }
  return (await stage.db.insertInto('edges').values(values).returning('id').executeTakeFirstOrThrow()).id
}
const local = { local: 1, empresa_id: null }
const gone = { presente: 0 }
const choose = (more: { empresaId?: number | null; asked?: number; usual?: number } = {}) =>
  chooseProbeEdge(stage.db, operator, { empresaId: stage.empresaId, asked: null, usual: null, ...more }, NOW)

it('returns the requested edge in any state', async () => {
  await edge()
  const asked = await edge(gone)
  expect(await choose({ asked })).toBe(asked)
})

it('prefers the usual edge of the device if online, else another edge of the Empresa', async () => {
  const [first, second] = [await edge(), await edge()]
  expect(await choose({ usual: second })).toBe(second)
  await stage.db
    .updateTable('edges')
    .set(gone as { presente: 0 })
    .where('id', '=', second)
    .execute()
  expect(await choose({ usual: second })).toBe(first)
})

it('returns the local edge only if the Empresa has no activated edge or it already serves the device', async () => {
  const here = await edge(local)
  expect(await choose()).toBe(here)
  await edge({ ativado_em: null, ...gone })
  expect(await choose()).toBe(here)
  const own = await edge(gone)
  await expect(choose()).rejects.toMatchObject({
    code: 'indisponivel',
    detalhe: expect.stringContaining('sem contato'),
  })
  expect(await choose({ usual: here })).toBe(here)
  await stage.db.updateTable('edges').set({ presente: 1 }).where('id', '=', own).execute()
  expect(await choose()).toBe(own)
})

it('returns the local edge for the operator, but no edge without recent contact', async () => {
  await edge()
  await expect(choose({ empresaId: null })).rejects.toMatchObject({ detalhe: expect.stringContaining('Nenhuma caixa') })
  const here = await edge(local)
  expect(await choose({ empresaId: null })).toBe(here)
  await stage.db
    .updateTable('edges')
    .set({ visto_em: NOW - 600_000 })
    .execute()
  await expect(choose()).rejects.toMatchObject({ code: 'indisponivel' })
})
