import type { Camera } from '@vigia/contracts/cameras'
import { type Api, signIn } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { type RecorderFault, type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'

/** One installation for all devices. */
export interface Stage {
  readonly base: string
  /** A login of its own for each lane: a login fetches two recordings at a time. */
  login(lane: number): Promise<{ readonly api: Api; readonly empresaId: number }>
  close(): Promise<void>
}

const PASSWORD = 'frase-da-matriz-0k'

export async function startStage(): Promise<Stage> {
  const vigia: Installation = await startInstallation({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8' })
  const operator = await vigia.signIn()
  const { id: empresaId } = await operator.call<{ id: number }>('POST', '/empresas', { nome: 'Matriz' })
  await waitFor('the edge', async () => {
    const [edge] = await operator.get<{ status: string }[]>('/edges')
    return edge?.status === 'online'
  })
  return {
    base: vigia.base,
    async login(lane) {
      const username = `faixa-${lane}`
      const login = { username, senha: PASSWORD, papel: 'administrador', empresa_id: empresaId }
      await operator.call('POST', '/usuarios', login)
      return { api: await signIn(vigia.base, username, PASSWORD), empresaId }
    },
    close: () => vigia.close(),
  }
}

/** A recorder with this fault at its only channel, at an address of its own. */
export interface Device {
  readonly recorder: RecorderProcess
  readonly host: string
  url(stream: 'principal' | 'sub'): string
}

const FOOTAGE = 'apps/dvr-simulator/footage'
/** People walk through the picture, so that the camera has events. */
const CHANNEL = `${FOOTAGE}/campus-a-principal.mp4,${FOOTAGE}/campus-a-sub.mp4`
const ARCHIVE_MS = 2 * 3_600_000

/** `index`: from 0; each device has another address, because connections count for each address. */
export async function startDevice(fault: RecorderFault, index: number): Promise<Device> {
  const host = `127.0.1.${index + 1}`
  const now = Date.now()
  const recorder = await startRecorder({
    canais: [CHANNEL],
    defeitos: { 1: fault },
    // The edge takes the zone of the Empresa for that of a recorder that does not report its time.
    gravacao: { trechos: [{ inicio: now - ARCHIVE_MS, fim: now }], fusoMin: -180, z: 'local' },
    argumentos: ['--host', host],
  })
  return { recorder, host, url: (stream) => recorder.url(1, stream).replace('@127.0.0.1:', `@${host}:`) }
}

/** Shared by the cells of one device. */
export interface Scene {
  readonly base: string
  readonly api: Api
  readonly empresaId: number
  readonly device: Device
  readonly camera: Camera
}
