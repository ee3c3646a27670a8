import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, clientOf } from '../../../test/clients/client.ts'
import { startQuiosque } from '../../../test/clients/quiosque.ts'
import { openBackstage, type SeededCamera } from '../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

/** Callers that see a camera only with its masks. */
let others: readonly (readonly [string, Client])[]

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Mercado'))

beforeAll(async () => {
  await own.admin.expect(201, 'POST', '/api/v1/usuarios', { username: 'rui', senha: SENHA, papel: 'vigilante' })
  const chave = async (escopo: string) => {
    const body = { nome: escopo, escopo, empresa_id: own.empresaId }
    const made = await own.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)
    return clientOf(app.url, made.chave)
  }
  const login = { username: `administrador-${own.empresaId}`, senha: SENHA }
  const screen = await startQuiosque(app.url, login, { nome: 'Portaria', papel: 'vigilante' })
  others = [
    ['usuario', own.usuario],
    ['vigilante', await app.signIn('rui')],
    ['quiosque', screen.client],
    ['chave de leitura', await chave('leitura')],
    ['chave de escrita', await chave('escrita')],
  ]
})

const MASK = { mascaras: [[0.1, 0.1, 0.5, 0.1, 0.5, 0.5]] }
const draw = ({ cameraId }: SeededCamera, body: object = MASK) =>
  own.admin.expect(200, 'PUT', `/api/v1/cameras/${cameraId}/mascaras`, body)
const apply = ({ cameraId }: SeededCamera) =>
  backstage.db.updateTable('cameras').set({ mascara_aplicada_em: app.clock.now() }).where('id', '=', cameraId).execute()

/** An event with all its pictures, stored now. */
async function pictures(camera: SeededCamera): Promise<string[]> {
  const now = app.clock.now()
  const id = await backstage.event(camera, { ocorrido_em: now, recebido_em: now })
  await backstage.clip(id)
  return [`/crops/${id}`, `/crops/${id}?imagem=quadro`, `/events/${id}/clip`]
}

/** Status and sentence of each path for each caller. */
async function seen(paths: readonly string[], by: readonly (readonly [string, Client])[]) {
  const found: [string, string, number, unknown][] = []
  for (const [name, client] of by)
    for (const path of paths) {
      const { status, body } = await client.send<{ detail?: string }>('GET', `/api/v1${path}`)
      found.push([name, path, status, body?.detail])
    }
  return found
}
const hidden = (paths: readonly string[]) =>
  others.flatMap(([name]) => paths.map((path) => [name, path, 404, expect.stringContaining('máscaras')]))

describe('a camera whose masks are not applied yet', () => {
  it('shows its present picture to administrators only', async () => {
    const camera = await backstage.camera(own.empresaId)
    const paths = ['snapshot', 'aovivo', 'hls_url'].map((end) => `/cameras/${camera.cameraId}/${end}`)
    // Nothing runs behind this camera: it is not online.
    const offline = await seen(paths, others)
    expect(offline.filter(([, , , detail]) => String(detail).includes('máscaras'))).toEqual([])
    await draw(camera)
    expect(await seen(paths, others)).toEqual(hidden(paths))
    const [, , , detail] = (await seen(paths, [['administrador', own.admin]]))[0] ?? []
    expect(detail).toContain('não está online')
    await apply(camera)
    expect((await seen(paths, others)).map(([, , status]) => status)).toEqual(offline.map(([, , status]) => status))
  })

  it('refuses a part of the archive to a vigilante, and shows a fetched one to administrators', async () => {
    const id = await backstage.gravacao(own.empresaId)
    const row = await backstage.db.selectFrom('gravacoes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const logins = others.filter(([name]) => !name.startsWith('chave'))
    const file = `/gravacoes/${id}/arquivo`
    expect((await seen([file], logins)).map(([, , status]) => status)).toEqual(logins.map(() => 200))
    await own.admin.expect(200, 'PUT', `/api/v1/cameras/${row.camera_id}/mascaras`, MASK)
    // Fetched after the masks were drawn.
    await backstage.db.updateTable('gravacoes').set({ criada_em: app.clock.now() }).where('id', '=', id).execute()
    expect((await seen([file], logins)).map(([, , status]) => status)).toEqual(logins.map(() => 404))
    expect((await own.admin.send('GET', `/api/v1${file}`)).status).toBe(200)
    const ask = { inicio: '2026-01-01T10:00:00Z', fim: '2026-01-01T10:01:00Z' }
    const [, rui] = others[1] ?? []
    expect((await rui?.send('POST', `/api/v1/cameras/${row.camera_id}/gravacoes`, ask))?.status).toBe(404)
  })

  it('hides the pictures taken until they are applied, also later, and none from before or after', async () => {
    const camera = await backstage.camera(own.empresaId)
    const before = await pictures(camera)
    app.clock.advance(1_000)
    await draw(camera)
    app.clock.advance(1_000)
    const during = await pictures(camera)
    const statuses = async (paths: readonly string[]) => [
      ...new Set((await seen(paths, others)).map(([, , status]) => status)),
    ]
    expect(await statuses(before)).toEqual([200])
    expect(await seen(during, others)).toEqual(hidden(during))
    app.clock.advance(1_000)
    await apply(camera)
    app.clock.advance(1_000)
    const after = await pictures(camera)
    expect(await statuses(after)).toEqual([200])
    expect(await seen(during, others)).toEqual(hidden(during))
    expect((await seen(during, [['administrador', own.admin]])).map(([, , status]) => status)).toEqual([200, 200, 200])
    // Without masks nothing is hidden.
    await draw(camera, { mascaras: [] })
    expect(await statuses(during)).toEqual([200])
  })

  it('leaves them out of exports, and out of messages and their addresses', async () => {
    const camera = await backstage.camera(own.empresaId)
    await draw(camera)
    const now = app.clock.now()
    const id = await backstage.event(camera, { ocorrido_em: now, recebido_em: now })
    await backstage.clip(id)
    const link = await backstage.pictureLink(id)
    expect((await fetch(`${app.url}/api/v1/imagens/${link}`)).status).toBe(404)
    const zip = async (client: Client) => {
      const headers = { authorization: `Bearer ${client.token}` }
      return Buffer.from(await (await fetch(`${app.url}/api/v1/events/${id}/exportar`, { headers })).arrayBuffer())
    }
    const has = (archive: Buffer) => ['quadro.jpg', 'recorte.jpg', 'clipe.mp4'].map((name) => archive.includes(name))
    expect(has(await zip(own.usuario))).toEqual([false, false, false])
    expect(has(await zip(own.admin))).toEqual([true, true, true])
    await draw(camera, { mascaras: [] })
    expect((await fetch(`${app.url}/api/v1/imagens/${link}`)).status).toBe(200)
  })

  it('hides the photographs of passages', async () => {
    const camera = await backstage.gateCamera(own.empresaId)
    await draw(camera)
    const id = await backstage.passagem(camera)
    await backstage.db
      .updateTable('passagens')
      .set({ ocorrido_em: app.clock.now(), recebida_em: app.clock.now() })
      .where('id', '=', id)
      .execute()
    const path = `/passagens/${id}/foto?papel=veiculo`
    const guards = others.slice(1, 3)
    expect((await seen([path], guards)).map(([, , status, detail]) => [status, detail])).toEqual(
      guards.map(() => [404, expect.stringContaining('máscaras')]),
    )
    expect((await own.admin.send('GET', `/api/v1${path}`)).status).toBe(200)
  })
})
