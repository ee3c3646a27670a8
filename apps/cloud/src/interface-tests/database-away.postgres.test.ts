import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openAlertStream } from '@vigia/testing/alert-stream'
import { fixture } from '@vigia/testing/fixture'
import { type MovableLine, startMovableLine } from '@vigia/testing/movable-line'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBackstage } from '../test/clouds/backstage.ts'
import { testPlace, writeInstallation } from '../test/clouds/template.ts'
import { startTestApp, type TestApp } from '../test/clouds/test-app.ts'

/** Nobody listens there. */
const CLOSED = 1

let dataDir: string
let line: MovableLine
let port: number
let app: TestApp

const isAway = (away: boolean) => {
  line.target = away ? CLOSED : port
  if (away) line.cut()
}

beforeAll(async () => {
  dataDir = temporaryFolder('vigia-away-')
  await writeInstallation(dataDir)
  const url = new URL(await testPlace(join(dataDir, 'cloud/vigia.db')))
  port = Number(url.port)
  line = await startMovableLine(port)
  url.port = String(line.port)
  app = await startTestApp({ VIGIA_DATA_DIR: dataDir, VIGIA_BANCO: url.href })
})

const own = fixture(() => app.account('Loja'))
afterAll(async () => {
  await app?.stop()
  await line?.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('answers 503 with a sentence while the database does not answer, and works again afterwards', async () => {
  isAway(true)
  try {
    for (const path of ['/api/v1/empresas', '/api/v1/cameras']) {
      const { status, body, headers } = await own.admin.send('GET', path)
      expect({ path, status, body, after: headers.get('retry-after') }).toEqual({
        path,
        status: 503,
        after: '3',
        body: { detail: 'O banco de dados não responde agora. Tente de novo em alguns segundos.' },
      })
    }
    const refused = await own.admin.send('POST', '/api/v1/cameras', { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.9/1' })
    expect(refused.status).toBe(503)
  } finally {
    isAway(false)
  }
  expect(await own.admin.expect(200, 'GET', '/api/v1/cameras')).toEqual([])
})

it('has an event stream connect again, so that a browser misses no alert', { timeout: 180_000 }, async () => {
  const backstage = await openBackstage({ ...app, dataDir })
  const base = `${app.url}/api/v1`
  const stream = await openAlertStream({ base: app.url, token: own.admin.token } as Parameters<
    typeof openAlertStream
  >[0])
  const camera = await backstage.camera(own.empresaId)
  try {
    isAway(true)
    const response = await fetch(`${base}/sse/alertas`, { headers: { authorization: `Bearer ${own.admin.token}` } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(await response.text()).toBe('retry: 3000\n\n')
    const answers = () => app.logText().split('"rota":"/api/v1/sse/alertas","status":200').length - 1
    const before = answers()
    await waitFor('the stream to have tried again', () => answers() > before)
    const missed = await backstage.event(camera)
    await backstage.verdict(missed, 'confirmado')
    isAway(false)
    await stream.nextAlert('the alert of the time without a database', ({ id }) => id === missed)
  } finally {
    isAway(false)
    stream.close()
    await backstage.close()
  }
})
