import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import { matchStreamPath, streamUrl } from '@vigia/rtsp/maker-urls'
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

/** Kept before the first camera is made, so that a start that is cut short is continued by the next. */
const stateSchema = z.object({
  porta: z.int(),
  senha: z.string(),
  /** All cameras were made once; one that is missing since then was removed on purpose. */
  completa: z.boolean(),
})
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
export async function startDemo({ dataDir, client, createSimulator }: DemoDeps): Promise<Child | null> {
  const file = join(dataDir, 'demonstracao.json')
  const existing = await client.cameras()
  const ours = await demoCameras(client, existing)
  if (existing.length > 0 && ours.size === 0) return null

  const saved = await readState(file)
  const senha = saved?.senha ?? randomBytes(18).toString('base64url')
  // A port of its own choice would be another one after a crash, and the cameras would not find it again.
  const samePort = saved && (await probePort(HOST, saved.porta)) === 'livre'
  const porta = samePort ? saved.porta : await freePort(HOST)
  const completa = saved?.completa === true && ours.size > 0
  await writeState(file, { porta, senha, completa })
  const simulator = createSimulator({ porta, usuario: USUARIO, senha })
  await simulator.start()

  const urls = (canal: number) => {
    const at = { host: HOST, porta, usuario: USUARIO, senha, canal }
    return { rtsp_url: streamUrl('intelbras', 'principal', at), sub_rtsp_url: streamUrl('intelbras', 'sub', at) }
  }
  if (!saved || porta !== saved.porta)
    for (const [canal, camera] of ours) await client.patchCamera(camera.id, urls(canal))
  if (!completa) {
    const empresas = await client.empresas()
    const empresa = empresas.find((e) => e.nome === EMPRESA) ?? (await client.createEmpresa(EMPRESA))
    for (const { canal, nome } of CANAIS.filter((one) => !ours.has(one.canal)))
      await client.createCamera({ nome, empresa_id: empresa.id, eventos_habilitados: ['invasao'], ...urls(canal) })
    await writeState(file, { porta, senha, completa: true })
  }
  return simulator
}

/** Channel → camera of the demonstration: in its Empresa, with the simulator's user on this machine. */
async function demoCameras(client: CloudClient, cameras: readonly Camera[]): Promise<Map<number, Camera>> {
  const empresas = (await client.empresas()).filter(({ nome }) => nome === EMPRESA).map(({ id }) => id)
  const channel = ({ rtsp_url }: Camera) => {
    const url = URL.parse(rtsp_url)
    if (url?.hostname !== HOST || url.username !== USUARIO) return null
    return matchStreamPath(`${url.pathname}${url.search}`)?.canal ?? null
  }
  const found = new Map<number, Camera>()
  for (const camera of cameras) {
    const canal = empresas.includes(camera.empresa_id) ? channel(camera) : null
    if (canal !== null) found.set(canal, camera)
  }
  return found
}

/** null: none yet, or a damaged one; then the simulator gets a new password, and the cameras are told. */
async function readState(file: string): Promise<DemoState | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return stateSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function writeState(file: string, state: DemoState): Promise<void> {
  await writeFile(`${file}.tmp`, JSON.stringify(state), { mode: 0o600, flush: true })
  await rename(`${file}.tmp`, file)
}
