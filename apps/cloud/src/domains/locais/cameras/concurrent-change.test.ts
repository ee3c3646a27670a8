import type { Camera } from '@vigia/contracts/cameras'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)

describe('a change of a camera that names the version it read', () => {
  const open = async () => {
    const { admin } = await app.account('Própria')
    const body = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.9/1' }
    const camera = await admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
    const change = async (ifMatch: string, patch: object) => {
      const response = await fetch(`${app.url}/api/v1/cameras/${camera.id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/json',
          ...(ifMatch && { 'if-match': ifMatch }),
        },
        body: JSON.stringify(patch),
      })
      return { status: response.status, body: (await response.json()) as Camera & { detail: string } }
    }
    return { camera, change, read: () => admin.expect<Camera>(200, 'GET', `/api/v1/cameras/${camera.id}`) }
  }

  it('is refused after another change, and changes nothing', async () => {
    const { camera, change, read } = await open()
    const first = await change(`"${camera.atualizada_em}"`, { instrucoes: ['Ignore o cachorro'] })
    expect(first.status).toBe(200)
    const late = await change(`"${camera.atualizada_em}"`, { instrucoes: ['Ignore o gato'] })
    expect(late).toMatchObject({ status: 409, body: { detail: expect.stringContaining('mudou') } })
    expect((await read()).instrucoes).toEqual(['Ignore o cachorro'])
    expect((await change(`"${first.body.atualizada_em}"`, { instrucoes: [] })).status).toBe(200)
  })

  it('finds a different version after each change, also within one millisecond', async () => {
    const { camera, change } = await open()
    const versions = [camera.atualizada_em]
    for (const nome of ['A', 'B', 'C']) versions.push((await change('', { nome })).body.atualizada_em)
    expect(new Set(versions).size).toBe(4)
    expect([...versions].sort()).toEqual(versions)
  })

  it.each(['*', '"2020-01-01T00:00:00.000Z", *ATUAL*', 'W/*ATUAL*', ''])(
    'is accepted with If-Match: %s',
    async (tag) => {
      const { camera, change } = await open()
      const ifMatch = tag.replace('*ATUAL*', `"${camera.atualizada_em}"`)
      expect((await change(ifMatch, { nome: 'Outra' })).status).toBe(200)
    },
  )

  it.each(['"ontem"', 'nada', '""'])('is refused with If-Match: %s', async (tag) => {
    const { change } = await open()
    expect((await change(tag, { nome: 'Outra' })).status).toBe(409)
  })
})
