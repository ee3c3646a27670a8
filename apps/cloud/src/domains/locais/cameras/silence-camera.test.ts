import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import type { MudancaCamera } from '@vigia/contracts/eventos'
import type { Incidente } from '@vigia/contracts/incidentes'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))
const camera = freshFixture(() => backstage.camera(conta.empresaId))

const silence = (by: Client, minutos: unknown, id = camera.cameraId) =>
  by.send<Camera>('POST', `/api/v1/cameras/${id}/silenciar`, { minutos })
const silencio = async () =>
  (await conta.usuario.expect<Camera>(200, 'GET', `/api/v1/cameras/${camera.cameraId}`)).silencio
const records = () =>
  conta.admin.expect<RegistroAuditoria[]>(200, 'GET', `/api/v1/auditoria?objeto=camera&objeto_id=${camera.cameraId}`)

describe('the silence of a camera', () => {
  it('shows its author and its end, ends by itself, and is recorded', async () => {
    const { status, body } = await silence(vigilante, 15)
    expect(status).toBe(200)
    expect(body.silencio?.por).toBe('rui')
    const left = Date.parse(body.silencio?.ate ?? '') - app.clock.now()
    expect(left).toBeGreaterThan(14 * 60_000)
    expect(left).toBeLessThanOrEqual(15 * 60_000)
    expect(await silencio()).toEqual(body.silencio)
    const [record] = await records()
    expect(record).toMatchObject({
      acao: 'silenciar',
      username: 'rui',
      antes: { silenciada_ate: null },
      depois: { silenciada_ate: body.silencio?.ate },
    })
    app.clock.advance(15 * 60_000)
    expect(await silencio()).toBeNull()
  })

  it('is replaced by a second one and ended by 0 minutes', async () => {
    await silence(vigilante, 60)
    expect((await silence(conta.admin, 5)).body.silencio?.por).toBe(`administrador-${conta.empresaId}`)
    expect((await silence(vigilante, 0)).body.silencio).toBeNull()
    expect(await records()).toHaveLength(3)
    // Without a silence there is nothing to end.
    expect((await silence(vigilante, 0)).status).toBe(200)
    expect(await records()).toHaveLength(3)
  })

  it('is refused for a read-only login, a foreign camera and more than an hour', async () => {
    expect((await silence(conta.usuario, 15)).status).toBe(403)
    expect((await silence(outra.admin, 15)).status).toBe(404)
    expect((await silence(vigilante, 15, 999_999)).status).toBe(404)
    for (const minutos of [61, -1, 1.5, '15', null]) expect((await silence(vigilante, minutos)).status).toBe(422)
    expect(await silencio()).toBeNull()
  })

  it('marks new incidentes, except critical ones and obstructed cameras', async () => {
    await silence(vigilante, 15)
    const later = (s: number) => ({ ocorrido_em: app.clock.now() + s * 1000 })
    await backstage.event(camera, later(0))
    await backstage.event(camera, { ...later(1000), tipo: 'fogo', gravidade: 'critica' })
    await backstage.event(camera, { ...later(2000), tipo: 'camera_obstruida' })
    const query = `/api/v1/incidentes?camera_id=${camera.cameraId}&atendido=false`
    const found = await vigilante.expect<Incidente[]>(200, 'GET', query)
    expect(found.map(({ tipos, silenciado }) => [tipos[0], silenciado])).toEqual([
      ['camera_obstruida', false],
      ['fogo', false],
      ['invasao', true],
    ])
  })

  it('reaches open screens at its start and at its end', async () => {
    const headers = { authorization: `Bearer ${conta.usuario.token}` }
    const reader = await openSse(`${app.url}/api/v1/sse/alertas?incidentes=true`, headers)
    /** The first frame from `from` on that shows the camera with or without a silence. */
    const frameOf = (silenced: boolean, from: number) =>
      waitFor(`a frame with silence ${silenced}`, () => {
        const found = reader.frames.findIndex(({ event, data }, i) => {
          const { id, silencio } = event === 'camera' ? (JSON.parse(data) as MudancaCamera) : { id: 0, silencio: null }
          return i >= from && id === camera.cameraId && (silencio !== null) === silenced
        })
        return found !== -1 && { found, mudanca: JSON.parse(reader.frames[found]?.data ?? '') as MudancaCamera }
      })
    await silence(vigilante, 1)
    const { found, mudanca } = await frameOf(true, 0)
    expect(mudanca.silencio?.por).toBe('rui')
    app.clock.advance(60_000)
    await frameOf(false, found)
    reader.close()
  })
})
