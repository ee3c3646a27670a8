import type { Camera } from '@vigia/contracts/cameras'
import type { Mascaras } from '@vigia/contracts/mascaras'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, clientOf } from '../../../test/clients/client.ts'
import { type Account, startTestApp } from '../../../test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../../../test/records/own-records.ts'

/** A key that may write in the whole tree. */
let chave: Client
const app = fixture(() => startTestApp(LOOPBACK_ALLOWED))
const raiz = fixture(() => app.account('Integradora'))
const loja = fixture(() => app.account('Loja', raiz.admin))
const filial = fixture(() => app.account('Filial', raiz.admin))

beforeAll(async () => {
  const body = { nome: 'escrita', escopo: 'escrita', empresa_id: raiz.empresaId }
  chave = clientOf(app.url, (await raiz.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)).chave)
})

const MASK = [0.1, 0.1, 0.5, 0.1, 0.5, 0.5]
const OTHER = [0.6, 0.6, 0.9, 0.6, 0.9, 0.9]
/** A host of its own for each test. */
let hosts = 0
const nextHost = () => {
  hosts += 1
  return `10.7.0.${hosts}`
}
const urlOf = (host: string, canal: number, sub = 0) =>
  `rtsp://ana:segredo@${host}/cam/realmonitor?channel=${canal}&subtype=${sub}`

const add = (
  rtsp_url: string,
  { by = loja.admin, of = loja, ...more }: { by?: Client; of?: Account; nome?: string } = {},
) =>
  by.send<Camera & { detail: string }>('POST', '/api/v1/cameras', {
    nome: 'Nova',
    rtsp_url,
    empresa_id: of.empresaId,
    ...more,
  })
async function masked(rtsp_url: string): Promise<Camera> {
  const { body } = await add(rtsp_url, { nome: 'Portão' })
  await loja.admin.expect(200, 'PUT', `/api/v1/cameras/${body.id}/mascaras`, { mascaras: [MASK] })
  return body
}
const masksOf = async ({ id }: Camera) =>
  (await loja.admin.expect<Camera & Mascaras>(200, 'GET', `/api/v1/cameras/${id}`)).mascaras

describe('a camera whose picture another one masks', () => {
  it('gets its masks from a person, and is refused to a key', async () => {
    const host = nextHost()
    await masked(urlOf(host, 3))
    const byKey = await add(urlOf(host, 3, 1), { by: chave })
    expect(byKey).toMatchObject({ status: 403, body: { detail: expect.stringContaining('“Portão”, que tem máscara') } })
    expect(byKey.body.detail).toContain('chave de integração')
    const { status, body } = await add(urlOf(host, 3, 1))
    expect([status, await masksOf(body)]).toEqual([201, [MASK]])
    expect(await add(urlOf(host, 4), { by: chave })).toMatchObject({ status: 201, body: { mascaras: [] } })
  })

  it('the same for a changed address; its own masks stay', async () => {
    const host = nextHost()
    await masked(urlOf(host, 3))
    const { body: camera } = await add(urlOf(host, 4))
    await loja.admin.expect(200, 'PUT', `/api/v1/cameras/${camera.id}/mascaras`, { mascaras: [OTHER] })
    const path = `/api/v1/cameras/${camera.id}`
    for (const change of [{ rtsp_url: urlOf(host, 3) }, { sub_rtsp_url: urlOf(host, 3, 1) }])
      expect((await chave.send('PATCH', path, change)).status).toBe(403)
    await loja.admin.expect(200, 'PATCH', path, { sub_rtsp_url: urlOf(host, 3, 1) })
    expect(await masksOf(camera)).toEqual([OTHER, MASK])
    // Another password shows nothing else.
    const sub_rtsp_url = urlOf(host, 3, 1).replace('segredo', 'nova')
    expect((await chave.send('PATCH', path, { sub_rtsp_url })).status).toBe(200)
  })

  it('a key moves no masked camera away, which would leave its picture without masks', async () => {
    const host = nextHost()
    const { id } = await masked(urlOf(host, 3))
    const away = { rtsp_url: urlOf(nextHost(), 3) }
    const refused = await chave.send<{ detail: string }>('PATCH', `/api/v1/cameras/${id}`, away)
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('“Portão”') } })
    await loja.admin.expect(200, 'PATCH', `/api/v1/cameras/${id}`, away)
  })

  it('the same for the channels and the address of a gravador', async () => {
    const [host, away] = [nextHost(), nextHost()]
    const access = (at: string) => ({
      fabricante: 'intelbras',
      host: at,
      porta: 554,
      usuario: 'ana',
      senha: 'segredo',
      num_canais: 8,
      empresa_id: loja.empresaId,
    })
    await masked(urlOf(host, 3).replace(host, `${host}:8554`))
    const register = (by: Client, canais: number[], at = host) =>
      by.send<{ gravador_id: number; cameras: Camera[] }>('POST', '/api/v1/gravadores/cadastrar', {
        ...access(at),
        canais,
      })
    expect((await register(chave, [2, 3])).status).toBe(403)
    expect((await register(chave, [2])).status).toBe(201)
    const { body } = await register(loja.admin, [3])
    expect(body.cameras.map(({ canal, mascaras }) => [canal, mascaras])).toEqual([[3, [MASK]]])
    const path = `/api/v1/gravadores/${body.gravador_id}`
    expect((await chave.send('PATCH', path, { senha: 'nova' })).status).toBe(200)
    expect((await chave.send('PATCH', path, { host: away })).status).toBe(403)
    // A gravador that is moved to the masked picture.
    const moved = await register(loja.admin, [3], away)
    const other = `/api/v1/gravadores/${moved.body.gravador_id}`
    await loja.admin.expect(200, 'PATCH', path, { host: nextHost() })
    expect((await chave.send('PATCH', other, { host })).status).toBe(403)
    await loja.admin.expect(200, 'PATCH', other, { host })
    expect(await masksOf(moved.body.cameras[0] as Camera)).toEqual([MASK])
  })

  it('a private address is another device in another Empresa, a public one the same', async () => {
    const [own, open] = [nextHost(), `200.1.2.${hosts}`]
    await masked(urlOf(own, 1))
    await masked(urlOf(open, 1))
    expect(await add(urlOf(own, 1), { of: filial, by: chave })).toMatchObject({ status: 201, body: { mascaras: [] } })
    expect((await add(urlOf(open, 1), { of: filial, by: chave })).status).toBe(403)
    const { status, body } = await add(urlOf(open, 1), { of: filial, by: filial.admin })
    expect([status, body.mascaras]).toEqual([201, [MASK]])
    const foreign = await app.account('Alheia')
    expect((await add(urlOf(open, 1), { of: foreign, by: foreign.admin })).body.mascaras).toEqual([])
  })

  it('the masks name the cameras that showed the picture before they were drawn', async () => {
    const host = nextHost()
    const { body: before } = await add(urlOf(host, 5), { nome: 'Cópia antiga' })
    const { id } = await masked(urlOf(host, 5))
    const path = `/api/v1/cameras/${id}/mascaras`
    const { detalhe } = await loja.admin.expect<Mascaras>(200, 'GET', path)
    expect(detalhe).toContain('Cópia antiga')
    await loja.admin.expect(200, 'PUT', `/api/v1/cameras/${before.id}/mascaras`, { mascaras: [MASK] })
    expect((await loja.admin.expect<Mascaras>(200, 'GET', path)).detalhe).not.toContain('Cópia antiga')
  })
})
