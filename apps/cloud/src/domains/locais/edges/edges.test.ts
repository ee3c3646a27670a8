import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Ativado, Ativar, Edge } from '@vigia/contracts/edges'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair } from '@vigia/link/sealed'
import { fixture } from '@vigia/testing/fixture'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'
import { type Answer, type Client, send } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { seedOneCamera } from '../../../test/records/records.ts'
import { storedText } from '../../../test/stores/stored-store.ts'

type Created = Edge & { edge_id: number; codigo: string; expira_em: string }

const app = fixture(startTestApp)
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))

const activation = async (codigo: string): Promise<Ativar> => ({
  codigo,
  csr: (await createCsr()).csrPem,
  chave_cifra: (await createSealKeyPair()).publicJwk,
})
const activate = <T = Ativado>(body: unknown, to: TestApp = app): Promise<Answer<T>> =>
  send<T>(`${to.url}/api/v1/edges/ativar`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const GRAVADOR = {
  fabricante: 'intelbras',
  url_template: null,
  sub_url_template: null,
  porta: 554,
  usuario: '',
  senha_cifrada: '',
  num_canais: 8,
  criado_em: 1,
  atualizado_em: 1,
}
const create = (by: Client = conta.admin) => by.expect<Created>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })

describe('registering', () => {
  it('returns an edge in `aguardando` and shows its code once', async () => {
    const created = await create()
    expect(created).toMatchObject({ nome: 'Caixa', empresa_id: conta.empresaId, status: 'aguardando', cameras: 0 })
    expect(created.codigo).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/)
    expect(Date.parse(created.expira_em) - Date.now()).toBeGreaterThan(23 * 3_600_000)

    const shown = await conta.admin.expect<Edge>(200, 'GET', `/api/v1/edges/${created.id}`)
    expect(shown).not.toHaveProperty('codigo')
    const database = await storedText(app.dataDir)
    expect(database).not.toContain(created.codigo)
    expect(database).not.toContain(created.codigo.replaceAll('-', ''))
    expect(app.logText()).not.toContain(created.codigo)
  })

  it('assigns the cameras without an edge', async () => {
    const third = await app.account('Oficina')
    const body = { nome: 'Pátio', rtsp_url: 'rtsp://192.0.2.9/1' }
    const camera = await third.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
    expect(camera.edge_id).toBeNull()
    const edge = await create(third.admin)
    expect(edge.cameras).toBe(1)
    expect(await third.admin.expect(200, 'GET', `/api/v1/cameras/${camera.id}`)).toMatchObject({ edge_id: edge.id })
  })

  it('requires an Empresa from the operator and an Empresa in scope from all callers', async () => {
    expect((await app.operator.send('POST', '/api/v1/edges', { nome: 'X' })).status).toBe(422)
    expect((await app.operator.send('POST', '/api/v1/edges', { nome: 'X', empresa_id: 999_999 })).status).toBe(404)
    const foreign = { nome: 'X', empresa_id: outra.empresaId }
    expect((await conta.admin.send('POST', '/api/v1/edges', foreign)).status).toBe(404)
    expect((await app.operator.send('POST', '/api/v1/edges', foreign)).status).toBe(201)
  })

  it('refuses the papel usuario and callers out of scope', async () => {
    const { id } = await create()
    expect((await conta.usuario.send('POST', '/api/v1/edges', { nome: 'X' })).status).toBe(403)
    expect((await conta.usuario.send('POST', `/api/v1/edges/${id}/codigo`)).status).toBe(403)
    expect((await conta.usuario.send('GET', `/api/v1/edges/${id}`)).status).toBe(200)
    expect((await send(`${app.url}/api/v1/edges`)).status).toBe(401)
    for (const [method, path] of [
      ['GET', `/api/v1/edges/${id}`],
      ['PATCH', `/api/v1/edges/${id}`],
      ['DELETE', `/api/v1/edges/${id}`],
      ['POST', `/api/v1/edges/${id}/codigo`],
      ['GET', `/api/v1/edges?empresa_id=${conta.empresaId}`],
    ] as const)
      expect((await outra.admin.send(method, path, method === 'PATCH' ? { nome: 'Meu' } : undefined)).status).toBe(404)
    const seen = await outra.admin.expect<Edge[]>(200, 'GET', '/api/v1/edges')
    expect(seen.map((edge) => edge.empresa_id)).not.toContain(conta.empresaId)
  })

  it('changes only the name and the limit', async () => {
    const { id } = await create()
    const path = `/api/v1/edges/${id}`
    expect(await conta.admin.expect(200, 'PATCH', path, { nome: 'Caixa 2' })).toMatchObject({ nome: 'Caixa 2' })
    const limited = { nome: 'Caixa 2', limite_reenvio_kbps: 512 }
    expect(await conta.admin.expect(200, 'PATCH', path, { limite_reenvio_kbps: 512 })).toMatchObject(limited)
    expect(await conta.admin.expect(200, 'PATCH', path, {})).toMatchObject(limited)
    for (const bad of [0, 15, 1.5, '512']) {
      expect((await conta.admin.send('PATCH', path, { nome: 'Não', limite_reenvio_kbps: bad })).status).toBe(422)
    }
    const free = { nome: 'Caixa 2', limite_reenvio_kbps: null }
    expect(await conta.admin.expect(200, 'PATCH', path, { limite_reenvio_kbps: null })).toMatchObject(free)
    expect((await conta.admin.send('PATCH', path, { empresa_id: outra.empresaId })).status).toBe(422)
    expect((await conta.usuario.send('PATCH', path, { limite_reenvio_kbps: 64 })).status).toBe(403)
  })

  it('shows the expiry of the code', async () => {
    const { status_detalhe } = await create()
    expect(status_detalhe).toMatch(
      /^Ainda não ativado\. Informe o código de ativação na caixa até \d\d\/\d\d\/\d{4}, \d\d:\d\d\.$/,
    )
  })
})

describe('activation', () => {
  it('exchanges the code for a certificate of that edge, once', async () => {
    const { id, codigo } = await create()
    const { status, body } = await activate(await activation(codigo.toLowerCase()))
    expect(status).toBe(200)
    expect(body).toMatchObject({ edge_id: id, mqtt: { url: 'mqtts://127.0.0.1:1' }, sequencias: {} })
    const certificate = new X509Certificate(body.certificado)
    expect(certificate.subject).toBe(`CN=edge-${id}`)
    expect(certificate.verify(new X509Certificate(body.ca).publicKey)).toBe(true)
    expect(await conta.admin.expect(200, 'GET', `/api/v1/edges/${id}`)).toMatchObject({ status: 'offline' })

    const again = await activate<{ detail: string }>(await activation(codigo))
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('já foi usado')])
  })

  it('answers the box that used the code again, with another certificate, for a while', async () => {
    const { id, codigo } = await create()
    const box = await activation(codigo)
    const [first, second] = [await activate(box), await activate(box)]
    expect([first.status, second.status, second.body.edge_id]).toEqual([200, 200, id])
    expect(second.body.certificado).not.toBe(first.body.certificado)
    const sealedForOther = { ...(await activation(codigo)), csr: box.csr }
    expect((await activate(sealedForOther)).status).toBe(409)
    app.clock.advance(15 * 60_000)
    expect((await activate(box)).status).toBe(409)
  })

  it('reveals nothing about an unknown code', async () => {
    const { codigo } = await create()
    const answers = await Promise.all(
      ['AAAA-AAAA-AAAA-AAAA', 'não é um código', `${codigo}0`].map(async (wrong) => {
        const { status, body } = await activate<{ detail: string }>({ ...(await activation(codigo)), codigo: wrong })
        return [status, body.detail]
      }),
    )
    expect(new Set(answers.map(String)).size).toBe(1)
    expect(answers[0]).toEqual([401, expect.stringContaining('desconhecido')])
  })

  it('admits one of two concurrent requests with the same code', async () => {
    const { codigo } = await create()
    const bodies = await Promise.all([activation(codigo), activation(codigo), activation(codigo)])
    const statuses = (await Promise.all(bodies.map((body) => activate(body)))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409])
  })

  it('keeps the code after an invalid request', async () => {
    const { codigo } = await create()
    const good = await activation(codigo)
    for (const bad of [
      { ...good, csr: 'not a request' },
      { ...good, chave_cifra: { ...good.chave_cifra, x: good.chave_cifra.y } },
      { codigo },
    ])
      expect((await activate(bad)).status).toBe(422)
    expect((await activate({ ...good, csr: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await activate(good)).status).toBe(200)
  })

  it('accepts the new code after a renewal and refuses the old one', async () => {
    const { id, codigo } = await create()
    const again = await conta.admin.expect<Created>(201, 'POST', `/api/v1/edges/${id}/codigo`)
    expect(again.edge_id).toBe(id)
    const replaced = await activate<{ detail: string }>(await activation(codigo))
    expect([replaced.status, replaced.body.detail]).toEqual([401, expect.stringContaining('substituído')])
    expect((await activate(await activation(again.codigo))).body.edge_id).toBe(id)
    const third = await conta.admin.expect<Created>(201, 'POST', `/api/v1/edges/${id}/codigo`)
    expect((await activate(await activation(third.codigo))).status).toBe(200)
  })

  it('expires the code after 24 hours and limits the rate of guesses', async () => {
    const own = await startTestApp()
    try {
      const { admin } = await own.account('Mercado')
      const { codigo } = await create(admin)
      own.clock.advance(24 * 3_600_000 + 1)
      const good = await activation(codigo)
      const late = await activate<{ detail: string }>(good, own)
      expect([late.status, late.body.detail]).toEqual([
        401,
        expect.stringMatching(/venceu em \d\d\/\d\d\/\d{4}, \d\d:\d\d\. Gere um código novo/),
      ])
      const guess = { ...good, codigo: 'AAAA-AAAA-AAAA-AAAA' }
      const statuses: number[] = []
      for (let i = 0; i < 12; i += 1) statuses.push((await activate(guess, own)).status)
      expect(statuses).toContain(401)
      expect(statuses.at(-1)).toBe(429)
    } finally {
      await own.stop()
    }
  })
})

describe('removing', () => {
  it('moves the cameras to the Empresa’s other edge', async () => {
    const { admin } = await app.account('Escola')
    const [first, second] = [await create(admin), await create(admin)]
    const body = { nome: 'Portão', rtsp_url: 'rtsp://192.0.2.9/1', edge_id: first.id }
    const camera = await admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
    expect(camera.edge_id).toBe(first.id)
    await admin.expect(204, 'DELETE', `/api/v1/edges/${first.id}`)
    expect((await admin.send('GET', `/api/v1/edges/${first.id}`)).status).toBe(404)
    expect(await admin.expect(200, 'GET', `/api/v1/cameras/${camera.id}`)).toMatchObject({ edge_id: second.id })
    await admin.expect(204, 'DELETE', `/api/v1/edges/${second.id}`)
    expect(await admin.expect(200, 'GET', `/api/v1/cameras/${camera.id}`)).toMatchObject({ edge_id: null })
  })

  it('keeps the cameras of one gravador together', async () => {
    const { admin, empresaId } = await app.account('Fábrica')
    const backstage = await openBackstage(app)
    try {
      const [leaving, ...heirs] = [await create(admin), await create(admin), await create(admin)]
      const gravador = (nome: string) =>
        backstage.db
          .insertInto('gravadores')
          .values({ ...GRAVADOR, nome, host: nome, empresa_id: empresaId, edge_id: leaving.id })
          .returning('id')
          .executeTakeFirstOrThrow()
      const [a, b] = [await gravador('a'), await gravador('b')]
      const cameras: number[] = []
      for (let i = 0; i < 6; i += 1) cameras.push(await seedOneCamera(backstage.db, empresaId, leaving.id))
      for (const [index, id] of cameras.entries()) {
        const gravador_id = [a.id, b.id, null][index % 3] ?? null
        await backstage.db.updateTable('cameras').set({ gravador_id }).where('id', '=', id).execute()
      }
      await admin.expect(204, 'DELETE', `/api/v1/edges/${leaving.id}`)
      const moved = await backstage.db
        .selectFrom('cameras')
        .select(['edge_id', 'gravador_id'])
        .where('id', 'in', cameras)
        .execute()
      const of = (id: number | null) => moved.filter((row) => row.gravador_id === id).map((row) => row.edge_id)
      for (const { id } of [a, b]) expect(new Set(of(id)).size).toBe(1)
      expect(new Set([...of(a.id), ...of(b.id)])).toEqual(new Set(heirs.map(({ id }) => id)))
      expect(heirs.map(({ id }) => moved.filter((row) => row.edge_id === id).length)).toEqual([3, 3])
    } finally {
      await backstage.close()
    }
  })
})

describe('the local edge of an all-in-one installation', () => {
  it('keeps its code in a file until use and writes a new one after the edge is lost', async () => {
    const mqttPort = await freePort()
    const own = await startTestApp({ VIGIA_EDGE_LOCAL: '1', VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}` })
    const file = join(own.dataDir, 'cloud/edge-local.codigo')
    let broker: Program | null = null
    /** The test waits longer than one check period. */
    const readAgain = () => new Promise((resolve) => setTimeout(resolve, 2_500))
    const absent = async () => (await stat(file).catch(() => null)) === null
    try {
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      const [edge] = await own.operator.expect<Edge[]>(200, 'GET', '/api/v1/edges')
      expect(edge).toMatchObject({ empresa_id: null, status: 'aguardando' })
      const { admin } = await own.account('Vizinho')
      expect(await admin.expect(200, 'GET', '/api/v1/edges')).toEqual([])
      expect((await admin.send('GET', `/api/v1/edges/${edge?.id}`)).status).toBe(404)
      expect((await own.operator.send('DELETE', `/api/v1/edges/${edge?.id}`)).status).toBe(409)

      const codigo = (await readFile(file, 'utf8')).trim()
      expect((await activate(await activation(codigo), own)).body.edge_id).toBe(edge?.id)
      await waitFor('the used code to go', absent)

      // Without a broker connection no edge counts as lost.
      own.clock.advance(120_000)
      await readAgain()
      expect(await absent()).toBe(true)
      broker = await startProgram({
        entry: 'apps/broker/src/main.ts',
        env: { VIGIA_DATA_DIR: own.dataDir, VIGIA_MQTT_PORT: String(mqttPort), VIGIA_LOG_LEVEL: 'warn' },
      })
      await waitFor('the link of the cloud', () => own.logText().includes('link connected'))
      own.clock.advance(120_000)
      const next = await waitFor('a code for the lost edge', () => readFile(file, 'utf8').catch(() => null))
      expect(next.trim()).not.toBe(codigo)
      expect((await activate(await activation(next.trim()), own)).status).toBe(200)
      await waitFor('the used code to go', absent)
    } finally {
      await own.stop()
      await broker?.stop()
    }
  })
})
