import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { type Api, signIn } from '@vigia/testing/api'
import { freePort } from '@vigia/testing/free-port'
import { cloudEnv, OPERATOR } from '@vigia/testing/installation'
import { startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { openBackstage } from '../../src/test/clouds/backstage.ts'
import { openGuardPage, type Page } from '../guard-page.ts'

const PASSWORD = 'senha-da-medida-1'
const CAMERAS = 16

/** A cloud as a process, one Empresa with 16 cameras, and Plantão of a vigilante in Chromium. */
export interface Stage {
  readonly base: string
  readonly page: Page
  readonly guard: string
  /** Stores a confirmed event that opens an incidente; returns its id and the name of its camera. */
  alert(turn: number): Promise<{ readonly id: number; readonly camera: string }>
  /** A new login of the Empresa. */
  login(): Promise<Api>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const folder = temporaryFolder('vigia-plateia-')
  await mkdir(join(folder, 'cloud'), { recursive: true, mode: 0o700 })
  await ensureInstallationPki({ dir: folder, brokerHosts: [] })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const env = { ...cloudEnv, VIGIA_DATA_DIR: folder, PORT: String(port), VIGIA_EDGE_LOCAL: '0' }
  const program = await startProgram({
    entry: 'apps/cloud/src/main.ts',
    // No broker listens there: the events come from the database.
    env: { ...env, VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1', VIGIA_LOG_LEVEL: 'warn' },
  })
  const backstage = await openBackstage({ url: base, dataDir: folder, clock: { now: Date.now, advance: () => {} } })
  const operator = await signIn(base, OPERATOR.username, OPERATOR.password)
  const { id: empresaId } = await operator.call<{ id: number }>('POST', '/empresas', { nome: 'Portaria' })
  const cameras = await Promise.all(Array.from({ length: CAMERAS }, () => backstage.camera(empresaId)))
  let logins = 0
  const login = async () => {
    logins += 1
    const username = `vigilante-${logins}`
    await operator.call('POST', '/usuarios', { username, senha: PASSWORD, papel: 'vigilante', empresa_id: empresaId })
    return { username, api: await signIn(base, username, PASSWORD) }
  }
  const guard = await login()
  const { page, close: closeBrowser } = await openGuardPage(base, guard.api.token)

  return {
    base,
    page,
    guard: guard.username,
    async alert(turn) {
      const camera = cameras[turn % CAMERAS]
      if (!camera) throw new Error('no camera')
      const camera_nome = `Câmera ${turn}`
      const id = await backstage.event(camera, { camera_nome })
      await backstage.verdict(id, 'confirmado')
      return { id, camera: camera_nome }
    },
    login: async () => (await login()).api,
    async close() {
      await closeBrowser()
      await backstage.close()
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
