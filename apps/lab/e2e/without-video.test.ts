import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Edge } from '@vigia/contracts/edges'
import type { Gravacao } from '@vigia/contracts/gravacoes'
import type { Mascaras } from '@vigia/contracts/mascaras'
import type { Diagnostico } from '@vigia/contracts/pedidos'
import type { Api } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { type TreeWithoutVideo, treeWithoutVideo } from '@vigia/testing/tree-without-video'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'

const FOOTAGE = 'apps/dvr-simulator/footage'
const CHANNEL = `${FOOTAGE}/campus-a-principal.mp4,${FOOTAGE}/campus-a-sub.mp4`
const OF_CAMERA = 'Falta na caixa o pacote de vídeo (node-av)'
const OF_EDGE = 'Falta nesta caixa o pacote de vídeo (node-av)'

/** Edge and cloud run without the binary of node-av, which arrives later. The tests depend on their order. */
let folder: string
let tree: TreeWithoutVideo
let recorder: RecorderProcess
let vigia: Installation
let api: Api
let empresaId: number

beforeAll(async () => {
  folder = temporaryFolder('vigia-without-video-')
  tree = treeWithoutVideo(join(folder, 'tree'))
  recorder = await startRecorder({
    canais: [CHANNEL],
    gravacao: { trechos: [{ inicio: 0, fim: Date.now() + 86_400_000 }] },
  })
  vigia = await startInstallation(
    { VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8' },
    {
      programs: {
        cloud: { entry: tree.entry('apps/cloud/src/main.ts') },
        edge: { entry: tree.entry('apps/edge/src/main.ts') },
      },
    },
  )
  api = await vigia.signIn()
  empresaId = (await api.call<{ id: number }>('POST', '/empresas', { nome: 'Mercado' })).id
})
afterAll(async () => {
  await vigia?.close()
  await recorder?.close()
  rmSync(folder, { recursive: true })
})

const edge = async () => (await api.get<Edge[]>('/edges'))[0]
const camera = async () => (await api.get<Camera[]>('/cameras'))[0]
const access = () => ({
  fabricante: 'intelbras',
  host: '127.0.0.1',
  porta: recorder.porta,
  usuario: recorder.usuario,
  senha: recorder.senha,
  empresa_id: empresaId,
})

it('the box links, and its card says what is missing before it has a camera', async () => {
  const seen = await waitFor('the report of the edge', async () => {
    const one = await edge()
    return one?.status === 'online' && one.status_detalhe !== null && one
  })
  expect(seen.status_detalhe).toContain(OF_EDGE)
})

it('the search finds the canais, and the picture of one is refused with the sentence', async () => {
  const found = await api.call<object[]>('POST', '/gravadores/descobrir', { ...access(), num_canais: 1 })
  expect(found).toEqual([expect.objectContaining({ canal: 1, estado: 'nova', codec: 'h264' })])
  const picture = await api.call<{ detail: string }>('POST', '/gravadores/imagem', { ...access(), canal: 1 }, 503)
  expect(picture.detail).toContain(OF_CAMERA)
})

it('each camera says what is missing, and so does the diagnosis', async () => {
  const { id } = await api.call<Camera>('POST', '/cameras', {
    nome: 'Pátio',
    rtsp_url: recorder.url(1),
    empresa_id: empresaId,
  })
  const seen = await waitFor('the reason of the camera', async () => {
    const one = await camera()
    return one?.status_detalhe?.includes('pacote de vídeo') && one
  })
  expect(seen.status).toBe('offline')
  expect(seen.status_detalhe).toContain(OF_CAMERA)
  const refused = await api.call<{ detail: string }>('GET', `/cameras/${id}/snapshot`, undefined, 404)
  expect(refused.detail).toContain(OF_CAMERA)
  const edgeId = (await edge())?.id
  const report = await api.get<Diagnostico>(`/edges/${edgeId}/diagnostico`)
  expect(report.cameras).toEqual([{ id, estado: 'falha', motivo: 'sem_pacote_video', fps: null }])
  expect(report.avisos.map(({ texto }) => texto)).toContainEqual(expect.stringContaining(OF_CAMERA))
  expect(report.processos).toEqual([{ pid: null, cameras: [id], falhas: 0 }])
})

it('fetches a recording, and refuses one with masks with the sentence', async () => {
  const id = (await camera())?.id
  const settled = async () => {
    const [inicio, fim] = [Date.now() - 300_000, Date.now() - 299_000].map((at) => new Date(at).toISOString())
    const asked = await api.call<Gravacao>('POST', `/cameras/${id}/gravacoes`, { inicio, fim })
    return await waitFor('the recording', async () => {
      const one = await api.get<Gravacao>(`/gravacoes/${asked.id}`)
      return (one.estado === 'pronta' || one.estado === 'falhou') && one
    })
  }
  expect((await settled()).estado).toBe('pronta')
  await api.call('PUT', `/cameras/${id}/mascaras`, { mascaras: [[0.1, 0.1, 0.9, 0.1, 0.9, 0.9, 0.1, 0.9]] })
  await waitFor('the masks on the edge', async () => {
    const { situacao } = await api.get<Mascaras>(`/cameras/${id}/mascaras`)
    return situacao === 'aplicada'
  })
  expect(await settled()).toMatchObject({ estado: 'falhou', detalhe: expect.stringContaining(OF_CAMERA) })
})

it('begins by itself when the package arrives', async () => {
  const before = vigia.programs.edge.pid
  tree.install()
  await waitFor('the camera online', async () => (await camera())?.status === 'online')
  await waitFor('the card without advice', async () => (await edge())?.status_detalhe === null)
  expect(vigia.programs.edge.pid).toBe(before)
})
