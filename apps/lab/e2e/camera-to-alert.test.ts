import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import { ativadoSchema } from '@vigia/contracts/edges'
import {
  type Evento,
  type EventoDetalhe,
  eventoDetalheSchema,
  eventoSchema,
  metricasSchema,
} from '@vigia/contracts/eventos'
import { type AlertStream, openAlertStream } from '@vigia/testing/alert-stream'
import type { Api } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { openLiveViewer } from '@vigia/testing/live-viewer'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { readAccessUnits } from '@vigia/video/testing/access-units'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('one camera, end to end, on real processes', () => {
  let recorder: RecorderProcess
  let vigia: Installation
  let api: Api
  let stream: AlertStream
  let camera: Camera

  beforeAll(async () => {
    recorder = await startRecorder()
    vigia = await startInstallation()
    api = await vigia.signIn()
    stream = await openAlertStream(api, { todos: true })
  })
  afterAll(async () => {
    stream?.close()
    await vigia?.close()
    await recorder?.close()
  })

  const status = async () => (await api.get<Camera>(`/cameras/${camera.id}`)).status

  it('a camera created through the API comes online', async () => {
    const sinceMs = Date.now()
    const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Empresa de teste' })
    camera = await api.call<Camera>('POST', '/cameras', {
      nome: 'Portão',
      empresa_id: empresa.id,
      rtsp_url: recorder.url(1),
      sub_rtsp_url: recorder.url(1, 'sub'),
    })
    expect(camera.rtsp_url).toContain(':****@')
    const online = await waitFor('the camera to be online', async () => {
      const now = await api.get<Camera>(`/cameras/${camera.id}`)
      return now.status === 'online' && now
    })
    expect(online).toMatchObject({ codec: 'h264', resolucao: '384x288', edge_id: expect.any(Number) })
    expect(Date.parse(online.ultimo_frame_em ?? '')).toBeGreaterThanOrEqual(sinceMs)
    await waitFor('the status change on the stream', () =>
      stream.cameras.some((change) => change.id === camera.id && change.status === 'online'),
    )
  })

  it('a verified alert arrives over SSE with a crop that decodes as JPEG', async () => {
    const alert = await stream.nextAlert('an alert of the camera', (evento) => evento.camera_id === camera.id, 90_000)
    expect(eventoSchema.parse(alert)).toEqual(alert)
    expect(alert).toMatchObject({ tipo: 'invasao', gravidade: 'alta', rotulos: ['person'], camera_nome: 'Portão' })
    expect(alert.veredito?.decisao).toBe('confirmado')
    expect(alert.veredito?.motivo).toMatch(/\S/)

    const crop = await api.fetch(`/crops/${alert.id}`)
    expect(crop.status).toBe(200)
    expect(crop.headers.get('content-type')).toBe('image/jpeg')
    const { info } = await sharp(Buffer.from(await crop.arrayBuffer()), { failOn: 'warning' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(info.width).toBeGreaterThan(16)
    expect(info.height).toBeGreaterThan(16)

    const detail = eventoDetalheSchema.parse(await api.get(`/events/${alert.id}`))
    expect(detail).toMatchObject({ id: alert.id, revisao: null, crop_path: expect.stringMatching(/\.jpg$/) })
    const list = await api.get<Evento[]>(`/events?camera_id=${camera.id}&veredito=confirmado`)
    expect(list.map((evento) => evento.id)).toContain(alert.id)
    const metrics = metricasSchema.parse(await api.get(`/metrics?camera_id=${camera.id}`))
    expect(metrics.por_veredito.confirmado).toBeGreaterThan(0)
    expect(metrics.por_tipo.invasao).toBe(metrics.total)
  })

  it.each([
    ['secundario', 'the analysed stream', 1],
    ['principal', 'a connection of its own', 2],
  ])('its live video (%s) plays over %s', async (fluxo, _over, connections) => {
    const viewer = openLiveViewer(vigia.base, api.token, camera.id, `?fluxo=${fluxo}`)
    await viewer.until(6)
    expect(viewer.texts[0]).toEqual({ tipo: 'fluxo', fluxo, aviso: null })
    // A picture of the main stream for the event before may still be under way.
    await waitFor('the connections', async () => (await openConnections(recorder.porta)) === connections)
    viewer.close()
    const file = join(vigia.dataDir, `${fluxo}.mp4`)
    await writeFile(file, Buffer.concat([viewer.header ?? Buffer.alloc(0), ...viewer.parts]))
    const { codec, width, units } = await readAccessUnits(file)
    expect([codec, width]).toEqual(['h264', fluxo === 'principal' ? 768 : 384])
    expect(units.length).toBeGreaterThan(6)
    await rm(file)
  })

  it('the clip of the alert arrives some seconds after it', async () => {
    const [alert] = await api.get<Evento[]>(`/events?camera_id=${camera.id}&veredito=confirmado`)
    const evento = await waitFor('the clip', async () => {
      const now = await api.get<EventoDetalhe>(`/events/${alert?.id}`)
      return now.clip_url !== null && now
    })
    const clip = Buffer.from(
      await (
        await fetch(`${vigia.base}${evento.clip_url}`, { headers: { authorization: `Bearer ${api.token}` } })
      ).arrayBuffer(),
    )
    const file = join(vigia.dataDir, 'clip.mp4')
    await writeFile(file, clip)
    const { units, width } = await readAccessUnits(file)
    expect(width).toBe(384)
    expect(units.length).toBeGreaterThan(50)
    await rm(file)
  })

  it('a disabled camera is desativada, and online again when enabled', async () => {
    await api.call('PATCH', `/cameras/${camera.id}`, { ativa: false })
    expect(await status()).toBe('desativada')
    await waitFor('the edge to let go of the recorder', async () => (await openConnections(recorder.porta)) === 0)
    await api.call('PATCH', `/cameras/${camera.id}`, { ativa: true })
    await waitFor('the camera to be online', async () => (await status()) === 'online')
  })

  it('a camera without its recorder is offline with the reason, and recovers with the recorder', async () => {
    await recorder.kill()
    await waitFor('the camera to be offline', async () => (await status()) === 'offline')
    const reason = await waitFor('the reason', async () => {
      const { status_detalhe } = await api.get<Camera>(`/cameras/${camera.id}`)
      return status_detalhe?.includes('recusou a conexão') && status_detalhe
    })
    expect(reason).toMatch(/Confira o endereço e a porta/)
    await recorder.start()
    await waitFor('the camera to be online', async () => (await status()) === 'online')
  })

  it('cameras of a lost edge are offline with that reason', async () => {
    await vigia.programs.edge.kill()
    await waitFor('the camera to be offline', async () => (await status()) === 'offline')
    expect((await api.get<Camera>(`/cameras/${camera.id}`)).status_detalhe).toContain(
      'caixa desta câmera está sem contato',
    )
    await vigia.start('edge')
    await waitFor('the camera to be online', async () => (await status()) === 'online')
  })

  it('no log and no database of the run contains the recorder password', async () => {
    const { readdir, readFile } = await import('node:fs/promises')
    const secrets = ['s3nh@', 's3nh%40', 'senha-de-teste-0k', api.token]
    const files = (await readdir(vigia.dataDir, { recursive: true, withFileTypes: true })).filter((f) => f.isFile())
    expect(files.length).toBeGreaterThan(8)
    for (const file of files) {
      const content = await readFile(`${file.parentPath}/${file.name}`, 'latin1')
      for (const secret of secrets) expect(content.includes(secret), `${secret} in ${file.name}`).toBe(false)
    }
  })

  it('the used activation code of the local edge is refused for a second certificate', async () => {
    const edges = await api.get<{ id: number; status: string }[]>('/edges')
    expect(edges).toHaveLength(1)
    const { codigo } = await api.call<{ codigo: string }>('POST', '/edges', {
      nome: 'Outro',
      empresa_id: camera.empresa_id,
    })
    const body = { codigo, csr: 'nada', chave_cifra: { kty: 'EC', crv: 'P-256', x: 'a', y: 'b' } }
    const refused = await fetch(`${vigia.base}/api/v1/edges/ativar`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(refused.status).toBe(422)
    expect(ativadoSchema.safeParse(await refused.json()).success).toBe(false)
  })
})

/** Established TCP connections to a local port, from the kernel's table. */
async function openConnections(port: number): Promise<number> {
  const { readFile } = await import('node:fs/promises')
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1)
  return rows.filter((row) => {
    const [, localAddress, , state] = row.trim().split(/\s+/)
    return localAddress?.endsWith(local) && state === '01'
  }).length
}
