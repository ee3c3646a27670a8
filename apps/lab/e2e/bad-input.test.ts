import { copyFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Api } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { repositoryRoot } from '@vigia/testing/program'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const emptyFile = join(tmpdir(), `vigia-zero-${process.pid}.mp4`)
const FOOTAGE = 'apps/dvr-simulator/footage'

/**
 * One edge has several cameras with different failures and one healthy camera. Each must report its reason in
 * Portuguese, must not affect the healthy one, and must recover when its recorder works.
 */
describe('bad input', () => {
  let recorder: RecorderProcess
  let vigia: Installation
  let api: Api
  let empresaId: number
  let mute: Server
  const muteSockets = new Set<Socket>()
  const later: RecorderProcess[] = []
  let muteUrl = ''
  let lockedOut: RecorderProcess
  let healthy: Camera

  beforeAll(async () => {
    mute = createServer((socket) => {
      muteSockets.add(socket)
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    await writeFile(emptyFile, '')
    const { port } = mute.address() as { port: number }
    muteUrl = `rtsp://vigia:depois@127.0.0.1:${port}/cam/realmonitor?channel=1&subtype=1`
    lockedOut = await startRecorder({ senha: 'antiga' })
    const good = `${FOOTAGE}/campus-a-principal.mp4,${FOOTAGE}/campus-a-sub.mp4`
    recorder = await startRecorder({
      canais: [...Array.from({ length: 7 }, () => good), emptyFile],
      defeitos: { 2: 'encerra', 3: 'lixo', 4: 'sem_pacotes', 5: 'codec_desconhecido', 6: 'trava', 7: 'vazio_404' },
    })
    vigia = await startInstallation()
    api = await vigia.signIn()
    empresaId = (await api.call<{ id: number }>('POST', '/empresas', { nome: 'Empresa de teste' })).id
    healthy = await create('saudável', recorder.url(1, 'sub'))
    await statusOf(healthy, 'online')
  })
  afterAll(async () => {
    await vigia?.close()
    for (const process of [recorder, lockedOut, ...later]) await process?.close()
    for (const socket of muteSockets) socket.destroy()
    mute?.close()
    await rm(emptyFile, { force: true })
  })

  // Without IAs, because this concerns the streams, and many moving pictures would occupy the machine.
  const create = (nome: string, rtsp_url: string) =>
    api.call<Camera>('POST', '/cameras', { nome, rtsp_url, empresa_id: empresaId, eventos_habilitados: [] })
  const read = (camera: Camera) => api.get<Camera>(`/cameras/${camera.id}`)
  const statusOf = (camera: Camera, status: string, timeoutMs = 60_000) =>
    waitFor(`${camera.nome} to be ${status}`, async () => (await read(camera)).status === status, { timeoutMs })
  const reasonOf = (camera: Camera, pattern: RegExp) =>
    waitFor(`the reason of ${camera.nome}`, async () => {
      const { status_detalhe } = await read(camera)
      return status_detalhe !== null && pattern.test(status_detalhe) && status_detalhe
    })

  const cases: { nome: string; url: () => string; pattern: RegExp; recovers: boolean }[] = [
    {
      nome: 'senha errada',
      url: () => recorder.url(1, 'principal', 'errada'),
      pattern: /Usuário ou senha recusados/,
      recovers: false,
    },
    {
      nome: 'senha que o gravador ainda não tem',
      url: () => lockedOut.url(1, 'sub', 'nova'),
      pattern: /Usuário ou senha recusados/,
      recovers: true,
    },
    { nome: 'aceita e nunca responde', url: () => muteUrl, pattern: /não responde/, recovers: true },
    {
      nome: 'vídeo de 0 bytes',
      url: () => recorder.url(8),
      pattern: /não conhece este endereço/,
      recovers: true,
    },
    { nome: 'encerra', url: () => recorder.url(2, 'sub'), pattern: /encerrou o vídeo/, recovers: true },
    { nome: 'lixo em vez de RTP', url: () => recorder.url(3, 'sub'), pattern: /não são vídeo válido/, recovers: true },
    {
      nome: 'nenhum quadro',
      url: () => recorder.url(4, 'sub'),
      pattern: /nenhum quadro de vídeo chega/,
      recovers: true,
    },
    {
      nome: 'codec desconhecido',
      url: () => recorder.url(5, 'sub'),
      pattern: /Codec de vídeo não suportado/,
      recovers: true,
    },
    { nome: 'congela', url: () => recorder.url(6, 'sub'), pattern: /parou de chegar/, recovers: true },
    { nome: 'canal vazio', url: () => recorder.url(7, 'sub'), pattern: /não conhece este endereço/, recovers: true },
  ]
  const made = new Map<string, Camera>()

  it('each failure shows its reason, and the healthy camera stays online', async () => {
    for (const { nome, url } of cases) made.set(nome, await create(nome, url()))
    const seen: string[] = []
    let watching = true
    const watch = (async () => {
      while (watching) {
        seen.push((await read(healthy)).status)
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    })()
    for (const { nome, pattern } of cases) await reasonOf(made.get(nome) as Camera, pattern)
    watching = false
    await watch
    expect(new Set(seen)).toEqual(new Set(['online']))
  })

  it('each camera recovers by itself when its recorder works', async () => {
    await recorder.kill()
    await copyFile(join(repositoryRoot, FOOTAGE, 'campus-a-sub.mp4'), emptyFile)
    await recorder.start()
    await lockedOut.close()
    later.push(await startRecorder({ porta: lockedOut.porta, senha: 'nova' }))
    for (const socket of muteSockets) socket.destroy()
    const { port } = mute.address() as { port: number }
    await new Promise((resolve) => mute.close(resolve))
    later.push(await startRecorder({ porta: port, senha: 'depois' }))
    // A refused login is repeated rarely; a person has it sent at once.
    const refused = made.get('senha que o gravador ainda não tem') as Camera
    await api.call('POST', `/cameras/${refused.id}/reiniciar`)
    for (const { nome, recovers } of cases) if (recovers) await statusOf(made.get(nome) as Camera, 'online', 120_000)
    await statusOf(healthy, 'online')
  })

  it('a PATCH corrects a wrong password without affecting other cameras', async () => {
    const camera = made.get('senha errada') as Camera
    await api.call('PATCH', `/cameras/${camera.id}`, { rtsp_url: recorder.url(1, 'sub') })
    await statusOf(camera, 'online')
  })
})
