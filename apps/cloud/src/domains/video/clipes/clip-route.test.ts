import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

let withClip: number
let without: number

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const account = fixture(() => app.account('Loja'))

beforeAll(async () => {
  const camera = await backstage.camera(account.empresaId)
  withClip = await backstage.event(camera)
  without = await backstage.event(camera)
  await backstage.clip(withClip, Buffer.from('0123456789'))
})

const ask = async (headers: Record<string, string> = {}, method = 'GET', id = withClip) => {
  const authorization = `Bearer ${account.usuario.token}`
  const answer = await fetch(`${app.url}/api/v1/events/${id}/clip`, { method, headers: { authorization, ...headers } })
  const { status, headers: got } = answer
  return { status, text: await answer.text(), range: got.get('content-range'), length: got.get('content-length') }
}
const detail = (id: number) => account.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
const ETAG = `"${'0'.repeat(64)}"`

it('sends the whole clip, a part of it, or its headers', async () => {
  expect(await ask()).toEqual({ status: 200, text: '0123456789', range: null, length: '10' })
  expect(await ask({ range: 'bytes=2-4' })).toEqual({ status: 206, text: '234', range: 'bytes 2-4/10', length: '3' })
  expect(await ask({ range: 'bytes=-2', 'if-range': ETAG })).toMatchObject({ status: 206, text: '89' })
  expect(await ask({ range: 'bytes=2-4', 'if-range': '"other"' })).toMatchObject({ status: 200, text: '0123456789' })
  expect(await ask({ range: 'bytes=10-' })).toMatchObject({ status: 416, range: 'bytes */10' })
  expect(await ask({}, 'HEAD')).toMatchObject({ status: 200, text: '', length: '10' })
})

it('is listed with the event, and an event without a clip says why', async () => {
  const url = `/api/v1/events/${withClip}/clip`
  const stored = { clip_url: url, clip_detalhe: null, clip_estado: 'guardado', clip_deslocamento_ms: 5_000 }
  expect(await detail(withClip)).toMatchObject(stored)
  expect(await detail(without)).toMatchObject({ clip_url: null, clip_detalhe: expect.stringContaining('ainda não') })
  expect(await detail(without)).toMatchObject({ clip_estado: 'sem_noticia', clip_deslocamento_ms: null })
  const status = async (by: string, id: number) =>
    (await fetch(`${app.url}/api/v1/events/${id}/clip`, { headers: { authorization: `Bearer ${by}` } })).status
  const outra = await app.account('Farmácia')
  expect(await status(outra.admin.token, withClip)).toBe(404)
  expect(await status(account.admin.token, without)).toBe(404)
})
