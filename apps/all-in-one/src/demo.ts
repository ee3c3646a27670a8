import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { streamUrl } from '@vigia/rtsp/maker-urls'
import { z } from 'zod'
import type { Child } from './child.ts'
import type { CloudClient } from './cloud-client.ts'
import { freePort, probePort } from './ports.ts'

const HOST = '127.0.0.1'
const USUARIO = 'vigia'
const EMPRESA = 'Demonstração'
const CANAIS = [
  { canal: 1, nome: 'Campus, acesso principal' },
  { canal: 2, nome: 'Campus, caminho' },
  { canal: 3, nome: 'Campus, pátio (H.265)' },
] as const

const stateSchema = z.object({ porta: z.int(), senha: z.string(), cameras: z.array(z.int()) })
type DemoState = z.infer<typeof stateSchema>

export interface DemoDeps {
  readonly dataDir: string
  readonly client: CloudClient
  /** Makes the (not yet started) simulator process. */
  readonly createSimulator: (options: { porta: number; usuario: string; senha: string }) => Child
}

/**
 * With no camera configured, or only those of an earlier demonstration: starts the recorder simulator and (re)connects the
 * cameras of the demonstration Empresa to it. Returns the running simulator, or null when the installation has real cameras.
 */
export async function startDemo(deps: DemoDeps): Promise<Child | null> {
  const file = join(deps.dataDir, 'demonstracao.json')
  const saved = await readState(file)
  const existing = await deps.client.cameras()
  const ours = existing.filter((camera) => saved?.cameras.includes(camera.id))
  if (existing.length > 0 && ours.length === 0) return null

  const senha = saved?.senha ?? randomBytes(18).toString('base64url')
  // A port of its own choice would be another one after a crash, and the cameras would not find it again.
  const samePort = saved && (await probePort(HOST, saved.porta)) === 'livre'
  const porta = samePort ? saved.porta : await freePort(HOST)
  const simulator = deps.createSimulator({ porta, usuario: USUARIO, senha })
  await simulator.start()

  const urls = (canal: number) => {
    const at = { host: HOST, porta, usuario: USUARIO, senha, canal }
    return { rtsp_url: streamUrl('intelbras', 'principal', at), sub_rtsp_url: streamUrl('intelbras', 'sub', at) }
  }
  if (ours.length === 0) {
    const empresas = await deps.client.empresas()
    const empresa = empresas.find((e) => e.nome === EMPRESA) ?? (await deps.client.createEmpresa(EMPRESA))
    const ids: number[] = []
    for (const { canal, nome } of CANAIS) {
      const body = { nome, empresa_id: empresa.id, eventos_habilitados: ['invasao'], ...urls(canal) }
      ids.push((await deps.client.createCamera(body)).id)
    }
    await writeState(file, { porta, senha, cameras: ids })
  } else if (porta !== saved?.porta) {
    for (const camera of ours) {
      const index = saved?.cameras.indexOf(camera.id) ?? 0
      await deps.client.patchCamera(camera.id, urls(CANAIS[index]?.canal ?? 1))
    }
    await writeState(file, { porta, senha, cameras: saved?.cameras ?? [] })
  }
  return simulator
}

async function readState(file: string): Promise<DemoState | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return stateSchema.parse(JSON.parse(text))
}

async function writeState(file: string, state: DemoState): Promise<void> {
  await writeFile(`${file}.tmp`, JSON.stringify(state), { mode: 0o600 })
  await rename(`${file}.tmp`, file)
}
