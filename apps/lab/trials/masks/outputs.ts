import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento, EventoDetalhe } from '@vigia/contracts/eventos'
import type { Gravacao } from '@vigia/contracts/gravacoes'
import type { Mascaras } from '@vigia/contracts/mascaras'
import type { Api } from '@vigia/testing/api'
import { openLiveViewer } from '@vigia/testing/live-viewer'
import { unzipInto } from '@vigia/testing/unzip'
import { waitFor } from '@vigia/testing/wait'
import { judgeCrop, judgeFrame, judgeVideo, MASKS } from './flat-parts.ts'

export interface Output {
  readonly name: string
  readonly pictures: number
  readonly isFlat: boolean
}

const PATIENT = { timeoutMs: 120_000 }

/** Creates a masked camera, and judges each output of it. `folder`: for the files. */
export async function judgeOutputs(api: Api, rtsp: { main: string; sub: string }, folder: string): Promise<Output[]> {
  const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Máscaras' })
  const { id } = await api.call<Camera>('POST', '/cameras', {
    nome: 'Pátio',
    empresa_id: empresa.id,
    rtsp_url: rtsp.main,
    sub_rtsp_url: rtsp.sub,
  })
  await api.call('PUT', `/cameras/${id}/mascaras`, { mascaras: MASKS })
  await waitFor('the masks in use', async () => {
    const { situacao } = await api.get<Mascaras>(`/cameras/${id}/mascaras`)
    return situacao === 'aplicada' && (await api.get<Camera>(`/cameras/${id}`)).status === 'online'
  })
  const recording = await judgeRecording(api, id, folder)
  return [...(await judgeNow(api, id, folder)), recording, ...(await judgeEvent(api, id, folder))]
}

async function bytesOf(api: Api, path: string): Promise<Buffer> {
  const answer = await api.fetch(path.replace(/^\/api\/v1/, ''))
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

async function judgeNow(api: Api, id: number, folder: string): Promise<Output[]> {
  const outputs = [
    { name: 'snapshot', ...(await judgeFrame(await bytesOf(api, `/cameras/${id}/snapshot`))) },
    { name: 'live, single frames', ...(await judgeFrame(await firstFrame(api, `/cameras/${id}/aovivo`))) },
  ]
  for (const fluxo of ['principal', 'secundario']) {
    const viewer = openLiveViewer(api.base, api.token, id, `?fluxo=${fluxo}`)
    await viewer.until(12)
    viewer.close()
    const path = join(folder, `${fluxo}.mp4`)
    await writeFile(path, Buffer.concat([viewer.header ?? Buffer.alloc(0), ...viewer.parts]))
    outputs.push({ name: `live, ${fluxo}`, ...(await judgeVideo(path)) })
  }
  return outputs
}

/** A part of the recorder's archive. */
async function judgeRecording(api: Api, id: number, folder: string): Promise<Output> {
  const [inicio, fim] = [Date.now() - 300_000, Date.now() - 240_000].map((at) => new Date(at).toISOString())
  const asked = await api.call<Gravacao>('POST', `/cameras/${id}/gravacoes`, { inicio, fim })
  const url = await waitFor(
    'the recording',
    async () => (await api.get<Gravacao>(`/gravacoes/${asked.id}`)).arquivo_url,
    { timeoutMs: 240_000, everyMs: 1_000 },
  )
  const path = join(folder, 'recording.mp4')
  await writeFile(path, await bytesOf(api, url))
  return { name: 'recording', ...(await judgeVideo(path)) }
}

/** The first JPEG of a multipart stream. */
async function firstFrame(api: Api, path: string): Promise<Buffer> {
  const { body } = await api.fetch(path)
  let bytes = Buffer.alloc(0)
  for await (const chunk of body ?? []) {
    bytes = Buffer.concat([bytes, chunk])
    const begin = bytes.indexOf(Buffer.from([0xff, 0xd8]))
    const end = begin < 0 ? -1 : bytes.indexOf(Buffer.from([0xff, 0xd9]), begin)
    // The end of the loop cancels the stream.
    if (end >= 0) return bytes.subarray(begin, end + 2)
  }
  throw new Error('no frame')
}

async function judgeEvent(api: Api, id: number, folder: string): Promise<Output[]> {
  const evento = await waitFor(
    'an event with its clip',
    async () => {
      // The newest event may wait for others that share its clip.
      const list = await api.get<Evento[]>(`/events?camera_id=${id}&veredito=confirmado`)
      const found = list.find((one) => one.clip_url !== null)
      return found && (await api.get<EventoDetalhe>(`/events/${found.id}`))
    },
    PATIENT,
  )
  const { clip_url, strip_url } = evento
  const clip = join(folder, 'clip.mp4')
  await writeFile(clip, await bytesOf(api, clip_url ?? ''))
  const outputs = [
    { name: 'crop', ...(await judgeCrop(await bytesOf(api, `/crops/${evento.id}`))) },
    { name: 'frame of the event', ...(await judgeFrame(await bytesOf(api, `/crops/${evento.id}?imagem=quadro`))) },
    { name: 'clip', ...(await judgeVideo(clip)) },
    { name: 'strip', ...(await judgeFrame(await bytesOf(api, strip_url ?? ''))) },
  ]
  for (const { url, fonte, ordem } of evento.evidencias)
    outputs.push({ name: `evidence ${ordem} (${fonte})`, ...(await judgeCrop(await bytesOf(api, url))) })
  return [...outputs, ...(await judgeArchive(api, evento.id, folder))]
}

async function judgeArchive(api: Api, evento: number, folder: string): Promise<Output[]> {
  const extracted = join(folder, 'evento')
  await unzipInto(extracted, await bytesOf(api, `/events/${evento}/exportar`))
  const outputs: Output[] = []
  for (const name of await readdir(extracted, { recursive: true })) {
    const path = join(extracted, name)
    if (name.endsWith('.mp4')) outputs.push({ name: `ZIP: ${name}`, ...(await judgeVideo(path)) })
    else if (/recorte|evidencia/.test(name))
      outputs.push({ name: `ZIP: ${name}`, ...(await judgeCrop(await readFile(path))) })
    else if (name.endsWith('.jpg')) outputs.push({ name: `ZIP: ${name}`, ...(await judgeFrame(await readFile(path))) })
  }
  return outputs
}
