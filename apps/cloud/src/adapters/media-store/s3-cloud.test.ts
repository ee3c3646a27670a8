import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { openBackstage } from '../../test/clouds/backstage.ts'
import { startTestApp } from '../../test/clouds/test-app.ts'
import { FRAME, JPEG } from '../../test/records/records.ts'
import { openTestBucket } from '../../test/stand-ins/s3-bucket.ts'

const bucket = fixture(openTestBucket)
const app = fixture(() => startTestApp(bucket.env('central')))
const backstage = fixture(() => openBackstage(app, bucket.env('central')))
const conta = fixture(() => app.account('Padaria'))
const camera = fixture(() => backstage.gateCamera(conta.empresaId))

const get = (path: string, token?: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, { headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers } })
const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('a cloud with its media in an object store', () => {
  it('serves pictures through its access check only', async () => {
    const id = await backstage.event(camera)
    const picture = await get(`/api/v1/crops/${id}`, conta.usuario.token)
    expect([picture.status, await bytes(picture)]).toEqual([200, JPEG])
    const outra = await app.account('Farmácia')
    expect((await get(`/api/v1/crops/${id}`, outra.admin.token)).status).toBe(404)
    expect((await get(`/api/v1/crops/${id}`)).status).toBe(401)
    const [name] = (await bucket.keys()).filter((key) => key.endsWith('-crop.jpg'))
    expect((await fetch(`${bucket.server.url}/${bucket.name}/${name}`)).status).toBe(403)
  })

  it('serves the signed address of a message without a session', async () => {
    const id = await backstage.event(camera)
    const signed = await get(`/api/v1/imagens/${await backstage.pictureLink(id)}`)
    expect([signed.status, await bytes(signed)]).toEqual([200, FRAME])
  })

  it('serves ranges of a clip', async () => {
    const id = await backstage.event(camera)
    await backstage.clip(id, Buffer.from('0123456789'))
    const part = await get(`/api/v1/events/${id}/clip`, conta.admin.token, { range: 'bytes=2-4' })
    expect([part.status, part.headers.get('content-range'), String(await bytes(part))]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
  })

  it('moves the crop of a review, and stores the pictures of a passage', async () => {
    const id = await backstage.event(camera)
    const review = { rotulo_humano: 'confirmado', revisor: 'Ana' }
    const { crop_path } = await conta.admin.expect<EventoDetalhe>(200, 'POST', `/api/v1/events/${id}/revisao`, review)
    await backstage.passagem(camera)
    const keys = (await bucket.keys()).filter((key) => /dataset|passagens/.test(key))
    expect(keys).toContain(`central/${crop_path}`)
    expect(keys).toContain(`central/${crop_path?.replace('.jpg', '.json')}`)
    expect(keys.some((key) => key.startsWith('central/passagens/'))).toBe(true)
  })

  it('writes no media to the disk of this machine', async () => {
    expect(await readdir(join(app.dataDir, 'cloud'))).not.toContain('media')
  })

  it('answers 503 with a sentence while the object store is away', async () => {
    const id = await backstage.event(camera)
    await bucket.close()
    const answer = await get(`/api/v1/crops/${id}`, conta.admin.token)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
    expect(await answer.json()).toEqual({ detail: expect.stringMatching(/^O armazenamento de imagens/) })
  })
})
