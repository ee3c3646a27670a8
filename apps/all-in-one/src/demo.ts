import { randomBytes } from 'node:crypto'
import type { Gravador } from '@vigia/contracts/gravadores'
import type { Child } from './child.ts'
import type { CloudClient } from './cloud-client.ts'
import { freePort, probePort } from './ports.ts'

const HOST = '127.0.0.1'
const USUARIO = 'vigia'
const EMPRESA = 'Demonstração'
const GRAVADOR = 'Gravador da demonstração'
const CANAIS = [
  { canal: 1, nome: 'Campus, acesso principal' },
  { canal: 2, nome: 'Campus, caminho' },
  { canal: 3, nome: 'Campus, pátio (H.265)' },
] as const

export interface DemoDeps {
  readonly client: CloudClient
  /** Creates the simulator process without starting it. */
  readonly createSimulator: (options: { porta: number; usuario: string; senha: string }) => Child
}

/**
 * Starts the recorder simulator if no camera, or only those of an earlier demonstration, are configured. Registers it,
 * or updates its registration. Port and password are stored only in the registration. Returns the running simulator, or
 * null when the installation has only real cameras.
 */
export async function startDemo({ client, createSimulator }: DemoDeps): Promise<Child | null> {
  const empresa = (await client.empresas()).find(({ nome }) => nome === EMPRESA)
  const recorder = empresa && (await client.gravadores(empresa.id)).find(isOurs)
  const registered = recorder !== undefined && recorder.cameras > 0
  if (!registered && (await client.cameras()).length > 0) return null

  const senha = recorder?.senha ?? randomBytes(18).toString('base64url')
  // A port chosen by the simulator would change after a crash, and the cameras would lose the simulator.
  const samePort = recorder && (await probePort(HOST, recorder.porta)) === 'livre'
  const porta = samePort ? recorder.porta : await freePort(HOST)
  const simulator = createSimulator({ porta, usuario: USUARIO, senha })
  await simulator.start()

  if (recorder && porta !== recorder.porta) await client.patchGravador(recorder.id, { porta })
  if (!registered)
    await client.cadastrar({
      fabricante: 'intelbras',
      host: HOST,
      porta,
      usuario: USUARIO,
      senha,
      num_canais: CANAIS.length,
      empresa_id: (empresa ?? (await client.createEmpresa(EMPRESA))).id,
      canais: [...CANAIS],
      nome_gravador: GRAVADOR,
    })
  return simulator
}

const isOurs = ({ nome, host, usuario }: Gravador): boolean => nome === GRAVADOR && host === HOST && usuario === USUARIO
