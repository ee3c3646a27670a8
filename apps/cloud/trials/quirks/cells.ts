import type { Camera } from '@vigia/contracts/cameras'
import type { Evento, EventoDetalhe } from '@vigia/contracts/eventos'
import type { Gravacao } from '@vigia/contracts/gravacoes'
import type { ResultadoCanal } from '@vigia/contracts/gravadores'
import type { Api } from '@vigia/testing/api'
import { openLiveViewer } from '@vigia/testing/live-viewer'
import { waitFor } from '@vigia/testing/wait'
import type { Scene } from './stage.ts'

/** `works`, a sentence that a person sees, or null: neither within the time of the cell. */
export type Outcome = string | null
export const WORKS = 'works'

/** Longest time of each cell, ms. */
const LIMITS = { stream: 60_000, clip: 120_000, live: 45_000, archive: 90_000, playback: 480_000 } as const
/** Online without a remark at so many reports in a row, `REPORT_MS` apart. */
const STEADY = 4
const REPORT_MS = 2_000

type Asking = Pick<Scene, 'api' | 'empresaId' | 'device'>

const access = ({ device, empresaId }: Asking) => ({
  fabricante: 'intelbras',
  host: device.host,
  porta: device.recorder.porta,
  empresa_id: empresaId,
  usuario: device.recorder.usuario,
  senha: device.recorder.senha,
})

/** Searches the only channel. An empty one is a result of its own: `vazia`. */
export async function discover(asking: Asking): Promise<Outcome> {
  const answer = await post(asking.api, '/gravadores/descobrir', { ...access(asking), num_canais: 1 })
  if (!answer.ok) return await sentenceOf(answer)
  const [found] = (await answer.json()) as ResultadoCanal[]
  return found?.estado === 'nova' ? WORKS : (found?.estado ?? null)
}

/** The picture of a channel before a camera exists: a connection of its own. */
export async function takePicture(asking: Asking): Promise<Outcome> {
  const answer = await post(asking.api, '/gravadores/imagem', { ...access(asking), canal: 1, lado: 160 })
  if (!answer.ok) return await sentenceOf(answer)
  return answer.headers.get('content-type') === 'image/jpeg' ? WORKS : null
}

/** The analysed stream: steady, or the last sentence of its status at the end of the time. */
export async function watchStream({ api, camera }: Scene): Promise<Outcome> {
  let sentence: string | null = null
  let steady = 0
  const isSteady = async () => {
    const { status, status_detalhe } = await api.get<Camera>(`/cameras/${camera.id}`)
    if (status_detalhe !== null && !isPassing(status_detalhe)) sentence = status_detalhe
    steady = status === 'online' && status_detalhe === null ? steady + 1 : 0
    return steady >= STEADY
  }
  const works = await holds(isSteady, LIMITS.stream, REPORT_MS)
  return works ? WORKS : sentence
}

/** States that end by themselves. */
const isPassing = (text: string): boolean => /^(Conectando ao equipamento|Aguardando a caixa)/.test(text)

/** The main stream, beside the analysed one. */
export async function watchLive({ base, api, camera }: Scene): Promise<Outcome> {
  const viewer = openLiveViewer(base, api.token, camera.id, '?fluxo=principal')
  const end = () => viewer.texts.find(({ tipo }) => tipo === 'fim')
  try {
    await holds(() => viewer.parts.length >= 3 || end() !== undefined, LIMITS.live, 100)
    if (viewer.parts.length >= 3) return WORKS
    const said = end() ?? viewer.texts.findLast(({ tipo }) => tipo === 'espera')
    return typeof said?.detail === 'string' ? said.detail : null
  } finally {
    viewer.close()
  }
}

/** The clip of an event of the camera. */
export async function awaitClip({ api, camera }: Scene): Promise<Outcome> {
  let outcome: Outcome = null
  await holds(
    async () => {
      const eventos = await api.get<Evento[]>(`/events?camera_id=${camera.id}&limit=3`)
      for (const { id } of eventos) {
        const { clip_estado, clip_detalhe } = await api.get<EventoDetalhe>(`/events/${id}`)
        if (clip_estado === 'nunca') outcome = clip_detalhe
        else if (clip_estado !== 'sem_noticia') outcome = WORKS
      }
      return outcome !== null
    },
    LIMITS.clip,
    1_000,
  )
  return outcome
}

const BACK_MS = 30 * 60_000

/** One second of the archive; the edge fetches some seconds before and behind it. */
export async function fetchArchive({ api, camera }: Scene): Promise<Outcome> {
  const inicio = Date.now() - BACK_MS
  const span = { inicio: new Date(inicio).toISOString(), fim: new Date(inicio + 1_000).toISOString() }
  const answer = await post(api, `/cameras/${camera.id}/gravacoes`, span)
  if (!answer.ok) return await sentenceOf(answer)
  let last = (await answer.json()) as Gravacao
  const isOver = async () => {
    last = await api.get<Gravacao>(`/gravacoes/${last.id}`)
    return ['enviando', 'pronta', 'falhou'].includes(last.estado)
  }
  await holds(isOver, LIMITS.archive, 1_000)
  // The playback of a recorder takes as long as its part.
  if (last.estado === 'recebendo') await holds(isOver, LIMITS.playback, 1_000)
  await api.call('DELETE', `/gravacoes/${last.id}`)
  return last.estado === 'enviando' || last.estado === 'pronta' ? WORKS : last.detalhe
}

const post = (api: Api, path: string, body: object): Promise<Response> =>
  api.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** The sentence of a refused request; of a wrong field its first one. */
async function sentenceOf(answer: Response): Promise<Outcome> {
  const { detail } = (await answer.json()) as { detail: string | readonly { msg: string }[] }
  return typeof detail === 'string' ? detail : (detail[0]?.msg ?? null)
}

/** Whether `probe` holds within the time. */
const holds = (probe: () => Promise<boolean> | boolean, timeoutMs: number, everyMs: number): Promise<boolean> =>
  waitFor('the end of a cell', probe, { timeoutMs, everyMs }).then(
    () => true,
    () => false,
  )
