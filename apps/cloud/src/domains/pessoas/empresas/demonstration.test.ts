import type { Camera } from '@vigia/contracts/cameras'
import type { Empresa } from '@vigia/contracts/empresas'
import type { Gravador } from '@vigia/contracts/gravadores'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const SIMULATED = '127.86.71.65'
const REAL = '192.168.0.20'

describe('a demonstration', () => {
  let empresaId: number
  const app = fixture(startTestApp)
  const conta = fixture(() => app.account('Padaria'))

  beforeAll(async () => {
    const body = { nome: 'Demonstração', demonstracao: true }
    const created = await app.operator.expect<Empresa>(201, 'POST', '/api/v1/empresas', body)
    expect(created.demonstracao).toBe(true)
    empresaId = created.id
  })

  const post = (path: string, body: object) =>
    app.operator.send('POST', `/api/v1${path}`, { empresa_id: empresaId, ...body })
  const gravador = (host: string) => ({ fabricante: 'intelbras', host, porta: 554, usuario: 'u', senha: 's' })
  const refusal = { detail: [{ msg: expect.stringContaining('demonstração') }] }

  it('is created by the operator only, and no other Empresa has the mark', async () => {
    const sent = await conta.admin.send('POST', '/api/v1/empresas', { nome: 'Minha', demonstracao: true })
    expect(sent.status).toBe(403)
    const own = await app.operator.expect<Empresa>(200, 'GET', `/api/v1/empresas/${conta.empresaId}`)
    expect(own).not.toHaveProperty('demonstracao')
  })

  it('takes simulated devices only', async () => {
    const attempts = [
      ['/gravadores', gravador(REAL)],
      ['/gravadores/cadastrar', { ...gravador(REAL), num_canais: 1, canais: [1] }],
      ['/cameras', { nome: 'Portão', rtsp_url: `rtsp://u:p@${REAL}/1` }],
      ['/cameras', { nome: 'Portão', rtsp_url: `rtsp://${SIMULATED}/1`, sub_rtsp_url: `rtsp://${REAL}/2` }],
    ] as const
    for (const [path, body] of attempts) expect(await post(path, body)).toMatchObject({ status: 422, body: refusal })

    const stored = await post('/gravadores', gravador(SIMULATED))
    const { id } = stored.body as Gravador
    const moved = await app.operator.send('PATCH', `/api/v1/gravadores/${id}`, { host: REAL })
    expect(moved).toMatchObject({ status: 422, body: refusal })
    const camera = await post('/cameras', { nome: 'Portão', rtsp_url: `rtsp://u:p@${SIMULATED}/1` })
    expect(camera.status).toBe(201)
    const path = `/api/v1/cameras/${(camera.body as Camera).id}`
    expect(await app.operator.send('PATCH', path, { rtsp_url: `rtsp://${REAL}/1` })).toMatchObject({
      status: 422,
      body: refusal,
    })
    expect((await app.operator.send('PATCH', path, { nome: 'Doca' })).status).toBe(200)
  })

  it('does not limit other Empresas', async () => {
    await conta.admin.expect(201, 'POST', '/api/v1/gravadores', { ...gravador(REAL), empresa_id: conta.empresaId })
  })
})
