import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventoDetalhe, Metricas } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { FRAME, JPEG } from '../../../test/records/records.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'

let id: number

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Integradora'))
const filha = fixture(() => app.account('Padaria', conta.admin))
const outra = fixture(() => app.account('Farmácia'))
const camera = fixture(() => backstage.camera(filha.empresaId))
beforeEach(async () => {
  id = await backstage.event(camera)
})

const review = (by: Client, body: unknown, event = id) =>
  by.send<EventoDetalhe>('POST', `/api/v1/events/${event}/revisao`, body)
const detail = () => filha.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
const media = () => createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') })
const uuid = async () =>
  (await backstage.db.selectFrom('eventos').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()).uuid
/** Files of the event `id` in all folders. */
const filesOf = async () => {
  const own = await uuid()
  const names = await readdir(join(app.dataDir, 'cloud/media'), { recursive: true })
  return names.filter((name) => name.includes(own)).sort()
}
const picture = async (imagem: string) => {
  const headers = { authorization: `Bearer ${filha.usuario.token}` }
  return Buffer.from(await (await fetch(`${app.url}/api/v1/crops/${id}?imagem=${imagem}`, { headers })).arrayBuffer())
}
const ana = { rotulo_humano: 'confirmado', revisor: 'Ana' }

describe('POST /events/{id}/revisao', () => {
  it('records the label, moves the crop and its line to the folder of the label, and keeps the verdict', async () => {
    await backstage.verdict(id, 'refutado')
    const { status, body } = await review(filha.admin, ana)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      veredito: { decisao: 'refutado' },
      crop_url: `/api/v1/crops/${id}`,
      revisao: { rotulo_humano: 'confirmado', revisor: 'Ana', revisado_em: expect.stringMatching(/Z$/) },
    })
    expect(await detail()).toEqual(body)
    expect(body.crop_path).toMatch(/^dataset\/confirmado\/.+\.jpg$/)

    const linePath = (body.crop_path ?? '').replace('.jpg', '.json')
    const text = (await media().read(linePath))?.toString() ?? ''
    expect(text.indexOf('\n')).toBe(text.length - 1)
    expect(JSON.parse(text)).toMatchObject({
      id,
      uuid: await uuid(),
      tipo: 'invasao',
      caixas: body.caixas,
      veredito: body.veredito,
      revisao: body.revisao,
      crop_path: body.crop_path,
    })
    expect(await filesOf()).toEqual([body.crop_path, linePath, `eventos/2026/11/21/${await uuid()}-quadro.jpg`].sort())
    expect(await picture('crop')).toEqual(JPEG)
    expect(await picture('quadro')).toEqual(FRAME)
  })

  it('counts the last of several and moves the crop with it', async () => {
    await review(filha.admin, ana)
    await review(filha.admin, { rotulo_humano: 'confirmado', revisor: 'Bia' })
    const { body } = await review(conta.admin, { rotulo_humano: 'refutado', revisor: 'Caio' })
    expect(body.revisao).toMatchObject({ rotulo_humano: 'refutado', revisor: 'Caio' })
    expect((await filesOf()).filter((name) => name.startsWith('dataset/'))).toEqual(
      [body.crop_path?.replace('.jpg', '.json'), body.crop_path].sort(),
    )
    expect(body.crop_path).toMatch(/^dataset\/refutado\//)
    expect(await picture('crop')).toEqual(JPEG)
  })

  it('is recorded for an event without a crop or with a missing file', async () => {
    id = await backstage.event(camera, { crop_path: null })
    expect((await review(filha.admin, ana)).body).toMatchObject({ revisao: { revisor: 'Ana' }, crop_path: null })
    id = await backstage.event(camera)
    const before = (await detail()).crop_path ?? ''
    await media().remove(before)
    expect((await review(filha.admin, ana)).body).toMatchObject({ revisao: { revisor: 'Ana' }, crop_path: before })
  })

  it('leaves one consistent result of two concurrent reviews', async () => {
    const labels = ['confirmado', 'refutado', 'confirmado', 'refutado']
    const answers = await Promise.all(
      labels.map((rotulo_humano, i) => review(i % 2 ? filha.admin : app.operator, { rotulo_humano, revisor: `R${i}` })),
    )
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const { crop_path, revisao } = await detail()
    expect(crop_path).toContain(`dataset/${revisao?.rotulo_humano}/`)
    const line = JSON.parse((await media().read((crop_path ?? '').replace('.jpg', '.json')))?.toString() ?? '')
    expect(line.revisao).toEqual(revisao)
    expect(await filesOf()).toHaveLength(3)
    expect(await picture('crop')).toEqual(JPEG)
    expect(await backstage.db.selectFrom('midias_a_apagar').selectAll().execute()).toEqual([])
    await expectCountsRight(backstage.db)
  })

  it.each([
    [{}, ['body', 'rotulo_humano']],
    [{ rotulo_humano: 'talvez', revisor: 'Ana' }, ['body', 'rotulo_humano']],
    [{ rotulo_humano: 'confirmado' }, ['body', 'revisor']],
    [{ rotulo_humano: 'confirmado', revisor: ' ' }, ['body', 'revisor']],
    [{ rotulo_humano: 'confirmado', revisor: 'x'.repeat(201) }, ['body', 'revisor']],
  ])('refuses %j and changes nothing', async (body, loc) => {
    const before = await detail()
    const answer = await filha.admin.send<{ detail: { loc: string[] }[] }>('POST', `/api/v1/events/${id}/revisao`, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]?.loc).toEqual(loc)
    expect(await detail()).toEqual(before)
  })

  it('requires an administrador with the event in scope', async () => {
    const before = await detail()
    expect((await review(filha.usuario, ana)).status).toBe(403)
    expect((await review(conta.usuario, ana)).status).toBe(403)
    expect((await review(outra.admin, ana)).status).toBe(404)
    expect((await review(filha.admin, ana, 999_999)).status).toBe(404)
    expect((await fetch(`${app.url}/api/v1/events/${id}/revisao`, { method: 'POST' })).status).toBe(401)
    expect(await detail()).toEqual(before)
    expect((await review(conta.admin, ana)).status).toBe(200)
    expect((await review(app.operator, ana)).status).toBe(200)
  })
})

describe('GET /metrics', () => {
  it('counts agreements of reviews and verdicts', async () => {
    const own = await app.account('Banca')
    const [one, two] = [await backstage.camera(own.empresaId), await backstage.camera(own.empresaId)]
    const reviewed = async (where: typeof camera, decisao: 'confirmado' | 'refutado' | null, rotulo_humano: string) => {
      const event = await backstage.event(where)
      await review(own.admin, { rotulo_humano, revisor: 'Ana' }, event)
      if (decisao) await backstage.verdict(event, decisao)
      return event
    }
    const changed = await reviewed(one, 'confirmado', 'confirmado')
    await reviewed(one, 'refutado', 'refutado')
    await reviewed(two, 'refutado', 'confirmado')
    await reviewed(two, null, 'confirmado')
    const revisoes = async (query = '') =>
      (await own.usuario.expect<Metricas>(200, 'GET', `/api/v1/metrics${query}`)).revisoes
    expect(await revisoes()).toEqual({ total: 3, concordam: 2, discordam: 1 })
    expect(await revisoes(`?camera_id=${one.cameraId}`)).toEqual({ total: 2, concordam: 2, discordam: 0 })
    expect(await revisoes(`?empresa_id=${own.empresaId}`)).toEqual({ total: 3, concordam: 2, discordam: 1 })
    await review(own.admin, { rotulo_humano: 'refutado', revisor: 'Bia' }, changed)
    expect(await revisoes()).toEqual({ total: 3, concordam: 1, discordam: 2 })
    const ofCamera = `/api/v1/metrics?camera_id=${one.cameraId}`
    expect((await outra.admin.expect<Metricas>(200, 'GET', ofCamera)).revisoes.total).toBe(0)
    await expectCountsRight(backstage.db)
  })
})
