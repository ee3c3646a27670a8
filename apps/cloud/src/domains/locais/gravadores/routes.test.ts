import type { Camera } from '@vigia/contracts/cameras'
import type { CanalGravador, Gravador, ResultadoCadastro } from '@vigia/contracts/gravadores'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const foreign = fixture(() => app.account('Alheia'))
const own = freshFixture(() => app.account('Própria'))

const path = '/api/v1/gravadores'
const SENHA = 's3nh@:/ç'
const ENCODED = 's3nh%40%3A%2F%C3%A7'
const body = (more: object = {}) => ({
  fabricante: 'intelbras',
  host: '127.0.0.9',
  porta: 554,
  usuario: 'ana',
  senha: SENHA,
  num_canais: 8,
  empresa_id: own.empresaId,
  ...more,
})
const cadastrar = (more: object = {}, by = own.admin) =>
  by.expect<ResultadoCadastro>(201, 'POST', `${path}/cadastrar`, body({ canais: [1, 2], ...more }))
const criar = (more: object = {}, by = own.admin) => by.expect<Gravador>(201, 'POST', path, body(more))
const ver = (id: number, by = own.admin) => by.expect<Gravador>(200, 'GET', `${path}/${id}`)
const mudar = (id: number, patch: object) => own.admin.expect<Gravador>(200, 'PATCH', `${path}/${id}`, patch)
const cameras = (by: Client = own.admin) => by.expect<Camera[]>(200, 'GET', '/api/v1/cameras')
const limitar = (limite_cameras: number) =>
  app.operator.expect(200, 'PATCH', `/api/v1/empresas/${own.empresaId}`, { limite_cameras })
const problems = async (method: string, where: string, sent: object) => {
  const answer = await own.admin.send<{ detail: { loc: (string | number)[]; type: string }[] }>(method, where, sent)
  return [answer.status, ...answer.body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)]
}

describe('cadastrar', () => {
  it('creates the gravador and one camera per canal from the template of the maker', async () => {
    const result = await cadastrar({
      canais: [3, { canal: 1, nome: 'Portão', perfil: 'obra' }],
      nome_gravador: 'Loja',
      perfil: 'comercio',
    })
    expect(result).toMatchObject({ cameras_criadas: 2, cameras_ignoradas: 0, vagas_restantes: 62 })
    const [third, first] = result.cameras
    expect(third).toMatchObject({
      nome: 'Loja - Canal 3',
      gravador_id: result.gravador_id,
      canal: 3,
      perfil: 'comercio',
      rtsp_url: 'rtsp://ana:****@127.0.0.9:554/cam/realmonitor?channel=3&subtype=0',
      sub_rtsp_url: 'rtsp://ana:****@127.0.0.9:554/cam/realmonitor?channel=3&subtype=1',
    })
    expect(first).toMatchObject({ nome: 'Portão', canal: 1, perfil: 'obra', empresa_id: own.empresaId })
    expect(await cameras()).toHaveLength(2)
    expect(await ver(result.gravador_id)).toMatchObject({ nome: 'Loja', cameras: 2, host: '127.0.0.9' })
  })

  it('reuses an existing gravador and creates no camera twice', async () => {
    const first = await cadastrar()
    expect(first.cameras[0]?.nome).toBe('Gravador 127.0.0.9 - Canal 1')
    // Different spellings of one address are one gravador.
    const again = await cadastrar({ host: '127.0.9', canais: [2, { canal: 5 }], num_canais: 5, usuario: 'bia' })
    expect(again).toMatchObject({ gravador_id: first.gravador_id, cameras_criadas: 1, cameras_ignoradas: 1 })
    expect(await ver(first.gravador_id)).toMatchObject({ usuario: 'bia', num_canais: 5, cameras: 3 })
    // The new credentials apply to the gravador and all its cameras.
    expect((await cameras()).map(({ rtsp_url }) => rtsp_url)).toEqual(
      [1, 2, 5].map((canal) => `rtsp://bia:****@127.0.0.9:554/cam/realmonitor?channel=${canal}&subtype=0`),
    )
    const fewer = await cadastrar({ canais: [1], num_canais: 2 })
    expect(fewer).toMatchObject({ cameras_criadas: 0, cameras_ignoradas: 1, cameras: [] })
    expect((await ver(first.gravador_id)).num_canais).toBe(5)
  })

  it('skips a canal whose address already is a camera, with any password', async () => {
    const url = 'rtsp://outro:senha@127.0.0.9/cam/realmonitor?channel=2&subtype=0'
    await own.admin.expect(201, 'POST', '/api/v1/cameras', { nome: 'Antiga', rtsp_url: url })
    expect(await cadastrar()).toMatchObject({ cameras_criadas: 1, cameras_ignoradas: 1 })
    // A device without canais has one address for all of them.
    const single = await cadastrar({ fabricante: 'tplink', porta: 555, canais: [1, 2] })
    expect(single).toMatchObject({ cameras_criadas: 1, cameras_ignoradas: 1 })
  })

  it('uses the given templates for a gravador without a known maker', async () => {
    const { cameras: made } = await cadastrar({
      fabricante: 'generico',
      url_template: 'rtsp://{host}:{port}/c{channel:02}?u={user}&senha={pass}',
      canais: [7],
    })
    expect(made[0]).toMatchObject({ rtsp_url: 'rtsp://127.0.0.9:554/c07?u=ana&senha=****', sub_rtsp_url: null })
  })

  it('refuses a template whose password could not be masked', async () => {
    const generic = { fabricante: 'generico', num_canais: 2 }
    for (const url_template of ['rtsp://{host}:{port}/{user}/{pass}/{channel}', 'rtsp://{host}/{pass}?c={channel}'])
      expect(await problems('POST', path, body({ ...generic, url_template }))).toEqual([
        422,
        'body.url_template value_error',
      ])
    const shown = await criar({ ...generic, url_template: 'rtsp://{host}:{port}/c{channel}?u={user}&p={pass}' })
    const channels = await own.usuario.expect<CanalGravador[]>(200, 'GET', `${path}/${shown.id}/canais`)
    expect(channels[1]?.rtsp_url).toBe('rtsp://127.0.0.9:554/c2?u=ana&p=****')
  })

  it('names the camera of a canal, even if it was created by address', async () => {
    const nome = 'Feita à mão'
    const rtsp_url = `rtsp://ana:${ENCODED}@127.0.0.9/cam/realmonitor?channel=2&subtype=0`
    const { id } = await own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', { nome, rtsp_url })
    const gravador = await criar({ num_canais: 2 })
    const channels = await own.usuario.expect<CanalGravador[]>(200, 'GET', `${path}/${gravador.id}/canais`)
    expect(channels.map(({ nome, camera_id }) => ({ nome, camera_id }))).toEqual([
      { nome: 'Canal 1', camera_id: null },
      { nome, camera_id: id },
    ])
  })

  it('creates nothing above the quota', async () => {
    await limitar(2)
    const refused = await own.admin.send('POST', `${path}/cadastrar`, body({ canais: [1, 2, 3] }))
    expect([refused.status, refused.body]).toEqual([409, { detail: expect.stringContaining('restam 2') }])
    expect(await own.admin.expect(200, 'GET', path)).toEqual([])
    expect(await cameras()).toEqual([])
    const { gravador_id } = await cadastrar()
    // The existing gravador stays unchanged; requests without new cameras are accepted.
    expect((await own.admin.send('POST', `${path}/cadastrar`, body({ canais: [3], usuario: 'bia' }))).status).toBe(409)
    expect(await ver(gravador_id)).toMatchObject({ usuario: 'ana' })
    expect(await cadastrar({ usuario: 'bia' })).toMatchObject({ cameras_ignoradas: 2, vagas_restantes: 0 })
  })

  it.each([
    [{ canais: [1, 1] }, 'body.canais.1 value_error'],
    [{ canais: [9] }, 'body.canais.0 value_error'],
    [{ canais: [] }, 'body.canais too_short'],
    [{ fabricante: 'acme' }, 'body.fabricante enum'],
    [{ fabricante: 'generico' }, 'body.url_template missing'],
    [{ fabricante: 'generico', url_template: '{base}/a@b' }, 'body.url_template value_error'],
    [
      { fabricante: 'generico', url_template: '{base}/a', sub_url_template: '{base}/a@b' },
      'body.sub_url_template value_error',
    ],
    [{ url_template: '{base}/x' }, 'body.url_template value_error'],
    [{ fabricante: 'generico', url_template: '{base}/a?password=aberta' }, 'body.url_template value_error'],
    [{ host: 'rtsp://127.0.0.9' }, 'body.host string_pattern_mismatch'],
    [{ host: ':::::' }, 'body.host value_error'],
    [{ usuario: '中'.repeat(100), senha: '中'.repeat(200) }, 'body.senha value_error'],
    [{ senha: '****' }, 'body.senha value_error'],
    [{ porta: 0 }, 'body.porta greater_than_equal'],
    [{ perfil: 'castelo' }, 'body.perfil enum'],
  ])('refuses %j', async (field, problem) => {
    expect(await problems('POST', `${path}/cadastrar`, body({ canais: [1], ...field }))).toEqual([422, problem])
    expect(await own.admin.expect(200, 'GET', path)).toEqual([])
  })

  it('shortens the name of a camera to its maximum length', async () => {
    const { cameras: made } = await cadastrar({ nome_gravador: `${'a'.repeat(189)}😀${'b'.repeat(9)}`, canais: [1] })
    expect(made[0]?.nome).toBe(`${'a'.repeat(189)} - Canal 1`)
  })
})

describe('scope and roles', () => {
  it('requires an administrador with the Empresa in scope', async () => {
    const parent = await app.account('Integradora')
    const child = await app.account('Cliente', parent.admin)
    expect((await own.usuario.send('POST', `${path}/cadastrar`, body({ canais: [1] }))).status).toBe(403)
    expect((await foreign.admin.send('POST', `${path}/cadastrar`, body({ canais: [1] }))).status).toBe(404)
    expect((await foreign.admin.send('POST', path, body())).status).toBe(404)
    for (const [by, host] of [
      [parent.admin, '127.0.0.10'],
      [app.operator, '127.0.0.11'],
    ] as const)
      await cadastrar({ empresa_id: child.empresaId, host }, by)
    const unknown = body({ empresa_id: 999_999, canais: [1] })
    expect((await app.operator.send('POST', `${path}/cadastrar`, unknown)).status).toBe(404)
    expect((await app.operator.send('POST', path, body({ empresa_id: undefined }))).status).toBe(422)
  })

  it('answers for gravadores out of scope as for missing ones', async () => {
    const { id } = await criar({ empresa_id: foreign.empresaId }, foreign.admin)
    const missing = await own.admin.send('GET', `${path}/999999`)
    for (const [method, where] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/canais'],
    ] as const) {
      const answer = await own.admin.send(method, `${path}/${id}${where}`, method === 'PATCH' ? {} : undefined)
      expect([method, answer.status, answer.body]).toEqual([method, 404, missing.body])
    }
    const seen = await own.admin.expect<Gravador[]>(200, 'GET', path)
    expect(seen).toEqual([])
    expect((await own.admin.send('GET', `${path}?empresa_id=${foreign.empresaId}`)).status).toBe(404)
    const narrowed = await app.operator.expect<Gravador[]>(200, 'GET', `${path}?empresa_id=${foreign.empresaId}`)
    expect(narrowed.map((one) => one.id)).toEqual([id])
    const plug = { nome: 'C', gravador_id: id, canal: 1 }
    expect((await own.admin.send('POST', '/api/v1/cameras', plug)).status).toBe(404)
    await foreign.admin.expect(204, 'DELETE', `${path}/${id}`)
  })

  it('shows the password only to administradores', async () => {
    const { id } = await criar()
    expect((await ver(id)).senha).toBe(SENHA)
    expect((await ver(id, app.operator)).senha).toBe(SENHA)
    expect((await ver(id, own.usuario)).senha).toBe('****')
    const [listed] = await own.usuario.expect<Gravador[]>(200, 'GET', path)
    expect(listed?.senha).toBe('****')
    expect((await ver((await criar({ host: '127.0.0.12', senha: '' })).id, own.usuario)).senha).toBe('')
    const channels = await own.admin.send('GET', `${path}/${id}/canais`)
    expect(JSON.stringify(channels.body)).not.toContain(ENCODED)
    expect(app.logText()).not.toContain(SENHA)
    expect(app.logText()).not.toContain(ENCODED)
  })

  it('gives the papel usuario read access only', async () => {
    const { id } = await criar()
    expect(await own.usuario.expect(200, 'GET', `${path}/${id}/canais`)).toHaveLength(8)
    for (const [method, where] of [
      ['POST', path],
      ['POST', `${path}/descobrir`],
      ['PATCH', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
    ] as const)
      expect((await own.usuario.send(method, where, {})).status).toBe(403)
  })
})

describe('POST of a gravador', () => {
  it('creates a gravador, then cameras of its canais', async () => {
    const gravador = await criar({ nome: 'Depósito', num_canais: undefined })
    expect(gravador).toMatchObject({ nome: 'Depósito', num_canais: 16, cameras: 0, edge_id: null, url_template: null })
    const sent = { nome: 'Doca', gravador_id: gravador.id, canal: 4, perfil: 'deposito' }
    const camera = await own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', sent)
    expect(camera).toMatchObject({
      empresa_id: own.empresaId,
      gravador_id: gravador.id,
      canal: 4,
      perfil: 'deposito',
      rtsp_url: 'rtsp://ana:****@127.0.0.9:554/cam/realmonitor?channel=4&subtype=0',
      sub_rtsp_url: 'rtsp://ana:****@127.0.0.9:554/cam/realmonitor?channel=4&subtype=1',
    })
    const channels = await own.admin.expect<CanalGravador[]>(200, 'GET', `${path}/${gravador.id}/canais`)
    expect(channels).toHaveLength(16)
    expect(channels[2]).toEqual({
      canal: 3,
      nome: 'Canal 3',
      rtsp_url: 'rtsp://ana:****@127.0.0.9:554/cam/realmonitor?channel=3&subtype=0',
      camera_id: null,
    })
    expect(channels[3]).toMatchObject({ canal: 4, nome: 'Doca', camera_id: camera.id })

    const taken = await own.admin.send('POST', '/api/v1/cameras', sent)
    expect([taken.status, taken.body]).toEqual([409, { detail: expect.stringContaining('Doca') }])
    expect(await problems('POST', '/api/v1/cameras', { ...sent, canal: 17 })).toEqual([
      422,
      'body.canal less_than_equal',
    ])
    const other = { ...sent, canal: 5, empresa_id: foreign.empresaId }
    expect(await problems('POST', '/api/v1/cameras', other)).toEqual([422, 'body.empresa_id value_error'])
    expect(await problems('POST', '/api/v1/cameras', { ...sent, rtsp_url: 'rtsp://127.0.0.9/' })).toEqual([
      422,
      'body.rtsp_url value_error',
    ])
  })

  it('refuses a second gravador at one address of the same Empresa', async () => {
    const { id } = await criar()
    const again = await own.admin.send('POST', path, body({ host: '127.0.0.9' }))
    expect([again.status, again.body]).toEqual([409, { detail: expect.stringContaining(`id ${id}`) }])
    await criar({ porta: 555 })
    const theirs = await criar({ empresa_id: foreign.empresaId }, foreign.admin)
    await foreign.admin.expect(204, 'DELETE', `${path}/${theirs.id}`)
  })

  it('removes a gravador only without cameras', async () => {
    const { gravador_id, cameras: made } = await cadastrar({ canais: [1] })
    const refused = await own.admin.send('DELETE', `${path}/${gravador_id}`)
    expect([refused.status, refused.body]).toEqual([409, { detail: expect.stringContaining('1 câmera') }])
    await own.admin.expect(204, 'DELETE', `/api/v1/cameras/${made[0]?.id}`)
    await own.admin.expect(204, 'DELETE', `${path}/${gravador_id}`)
    expect((await own.admin.send('DELETE', `${path}/${gravador_id}`)).status).toBe(404)
  })
})

describe('patch', () => {
  it('updates the address of all its cameras and no others', async () => {
    const { gravador_id } = await cadastrar()
    await own.admin.expect(201, 'POST', '/api/v1/cameras', { nome: 'Avulsa', rtsp_url: 'rtsp://ana:x@127.0.0.9/outra' })
    const changed = await mudar(gravador_id, { host: '127.0.0.77', porta: 8554, usuario: 'bia', senha: 'nova' })
    expect(changed).toMatchObject({ host: '127.0.0.77', porta: 8554, usuario: 'bia', senha: 'nova', cameras: 2 })
    expect((await cameras()).map(({ rtsp_url }) => rtsp_url)).toEqual([
      'rtsp://bia:****@127.0.0.77:8554/cam/realmonitor?channel=1&subtype=0',
      'rtsp://bia:****@127.0.0.77:8554/cam/realmonitor?channel=2&subtype=0',
      'rtsp://ana:****@127.0.0.9/outra',
    ])
  })

  it('changes only the given fields', async () => {
    const { gravador_id } = await cadastrar({ nome_gravador: 'Loja' })
    const before = await ver(gravador_id)
    const same = { senha: '****', host: null, porta: null, usuario: null, nome: null, num_canais: null }
    expect(await mudar(gravador_id, same)).toEqual(before)
    expect(await mudar(gravador_id, {})).toEqual(before)
    expect(await mudar(gravador_id, { nome: '' })).toMatchObject({ nome: '', senha: SENHA, host: before.host })
    expect(await problems('PATCH', `${path}/${gravador_id}`, { fabricante: 'dahua', empresa_id: 1 })).toEqual([
      422,
      'body.fabricante extra_forbidden',
      'body.empresa_id extra_forbidden',
    ])
    expect(await problems('PATCH', `${path}/${gravador_id}`, { host: ':::::' })).toEqual([422, 'body.host value_error'])
  })

  it('refuses a used address and fewer canais than in use', async () => {
    const { gravador_id } = await cadastrar({ canais: [6] })
    const other = await criar({ porta: 555 })
    const refused = await own.admin.send('PATCH', `${path}/${gravador_id}`, { porta: 555, usuario: 'bia' })
    expect([refused.status, refused.body]).toEqual([409, { detail: expect.stringContaining(`id ${other.id}`) }])
    expect(await ver(gravador_id)).toMatchObject({ porta: 554, usuario: 'ana' })
    expect(await problems('PATCH', `${path}/${gravador_id}`, { num_canais: 5 })).toEqual([
      422,
      'body.num_canais greater_than_equal',
    ])
    expect(await mudar(gravador_id, { num_canais: 6 })).toMatchObject({ num_canais: 6 })
  })
})

describe('a manually changed camera', () => {
  const byHand = (id: number, patch: object) => own.admin.expect<Camera>(200, 'PATCH', `/api/v1/cameras/${id}`, patch)

  it('leaves the gravador with another address and frees its canal', async () => {
    const { gravador_id, cameras: made } = await cadastrar({ canais: [1] })
    const id = made[0]?.id ?? 0
    const left = await byHand(id, { rtsp_url: 'rtsp://ana:****@127.0.0.9:554/outra' })
    expect(left).toMatchObject({ gravador_id: null, canal: null })
    await mudar(gravador_id, { usuario: 'bia' })
    expect((await cameras())[0]?.rtsp_url).toBe('rtsp://ana:****@127.0.0.9:554/outra')
    expect(await cadastrar({ canais: [1] })).toMatchObject({ cameras_criadas: 1 })
  })

  it('stays with its own address or without the substream', async () => {
    const { gravador_id, cameras: made } = await cadastrar({ canais: [1] })
    const { id = 0, rtsp_url, sub_rtsp_url } = made[0] ?? {}
    const stays = { gravador_id, canal: 1 }
    expect(await byHand(id, { rtsp_url, sub_rtsp_url })).toMatchObject(stays)
    const respelled = rtsp_url?.replace('rtsp:', 'RTSP:').replace(':554/', '/')
    expect(await byHand(id, { rtsp_url: respelled })).toMatchObject(stays)
    expect(await byHand(id, { sub_rtsp_url: null })).toMatchObject({ ...stays, sub_rtsp_url: null })
    await mudar(gravador_id, { usuario: 'bia' })
    expect((await cameras())[0]).toMatchObject({ ...stays, sub_rtsp_url: null })
    const sub = 'rtsp://bia:****@127.0.0.9:554/cam/realmonitor?channel=1&subtype=1'
    expect(await byHand(id, { sub_rtsp_url: sub })).toMatchObject({ ...stays, sub_rtsp_url: sub })
    expect(await byHand(id, { sub_rtsp_url: `${sub}1` })).toMatchObject({ gravador_id: null })
  })
})

describe('two concurrent requests', () => {
  it('create one set of cameras from two registrations of one gravador', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => cadastrar({ canais: [1, 2, 3] })))
    expect(new Set(answers.map(({ gravador_id }) => gravador_id)).size).toBe(1)
    expect(answers.map(({ cameras_criadas }) => cameras_criadas).sort()).toEqual([0, 0, 0, 0, 0, 3])
    expect((await cameras()).map(({ canal }) => canal)).toEqual([1, 2, 3])
    expect(await own.admin.expect(200, 'GET', path)).toHaveLength(1)
  })

  it('respect the quota exactly', async () => {
    await limitar(5)
    const { id } = await criar({ num_canais: 10 })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i % 2
          ? own.admin.send('POST', '/api/v1/cameras', { nome: 'C', gravador_id: id, canal: i + 1 })
          : own.admin.send('POST', `${path}/cadastrar`, body({ host: `127.0.0.${20 + i}`, canais: [1] })),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(5).fill(409)])
    expect(await cameras()).toHaveLength(5)
  })

  it('create one camera per canal', async () => {
    const { id } = await criar()
    const plug = () => own.admin.send('POST', '/api/v1/cameras', { nome: 'C', gravador_id: id, canal: 1 })
    const statuses = (await Promise.all(Array.from({ length: 5 }, plug))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409])
  })

  it('apply a new password to a concurrent new camera', async () => {
    const { gravador_id } = await cadastrar({ canais: [1] })
    const add = (canal: number) => own.admin.expect(201, 'POST', '/api/v1/cameras', { nome: 'C', gravador_id, canal })
    await Promise.all([add(2), mudar(gravador_id, { usuario: 'bia' }), add(3), add(4)])
    const users = (await cameras()).map(({ rtsp_url }) => URL.parse(rtsp_url)?.username)
    expect(users).toEqual(['bia', 'bia', 'bia', 'bia'])
  })
})
