import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CameraPatch } from '@vigia/contracts/cameras'
import type { Gravador } from '@vigia/contracts/gravadores'
import type { Child } from './child.ts'
import type { CloudClient } from './cloud-client.ts'
import { freePort, probePort } from './ports.ts'

/**
 * Loopback address of the simulator alone. Probes may reach this one address, so that the wizard can be tried with the
 * simulator. The services of this machine at 127.0.0.1 stay out of reach.
 */
export const DEMO_HOST = '127.86.71.65'
/** Address of the simulator in earlier releases. */
const FORMER_HOST = '127.0.0.1'
const USUARIO = 'vigia'
const EMPRESA = 'Demonstração'
const GRAVADOR = 'Gravador da demonstração'
/** Cameras of two sites, by their canal from 1 on. */
const CAMERAS: readonly { readonly nome: string; readonly vigia?: CameraPatch }[] = [
  { nome: 'Campus, acesso principal' },
  {
    nome: 'Campus, caminho',
    vigia: {
      eventos_habilitados: ['cruzamento_linha'],
      config_ia: { cruzamento_linha: { direcao: 1 } },
      // Across the path.
      linha: [
        [0.42, 0.3],
        [0.42, 0.65],
      ],
    },
  },
  { nome: 'Campus, pátio (H.265)' },
  {
    nome: 'Estacionamento',
    vigia: { eventos_habilitados: ['aglomeracao'], config_ia: { aglomeracao: { min_pessoas: 4 } } },
  },
]
const footage = (name: string) => fileURLToPath(new URL(`../../dvr-simulator/footage/${name}`, import.meta.url))
const pair = (name: string) => [`${name}-principal.mp4`, `${name}-sub.mp4`].map(footage).join()
/** One canal more than the cameras, for a trial of the wizard. */
const FILES = [
  pair('campus-a'),
  pair('campus-b'),
  footage('campus-c-h265.mp4'),
  footage('estacionamento.mp4'),
  pair('campus-a'),
]
const NUM_CANAIS = FILES.length

/** Command-line arguments of the simulator. */
export const simulatorArgs = (porta: number): string[] => [
  '--host',
  DEMO_HOST,
  '--porta',
  String(porta),
  ...FILES.flatMap((files) => ['--canal', files]),
]

/** File that exists once a demonstration was created: one that a person has ended does not come back. */
const markIn = (dataDir: string): string => join(dataDir, 'demonstracao')

export interface DemoDeps {
  readonly client: CloudClient
  readonly dataDir: string
  /** Creates the simulator process without starting it. */
  readonly createSimulator: (options: { porta: number; usuario: string; senha: string }) => Child
}

/**
 * Starts the recorder simulator if no camera, or only those of an earlier demonstration, are configured. Registers it,
 * or updates its registration. Port and password are stored only in the registration. Returns the running simulator, or
 * null when the installation has only real cameras, or a person has ended the demonstration.
 */
export async function startDemo({ client, dataDir, createSimulator }: DemoDeps): Promise<Child | null> {
  const empresa = (await client.empresas()).find(({ nome, demonstracao }) => demonstracao && nome === EMPRESA)
  const recorder = empresa && (await client.gravadores(empresa.id)).find(isOurs)
  const registered = recorder !== undefined && recorder.cameras > 0
  if (!registered && existsSync(markIn(dataDir))) return null
  if (!registered && (await client.cameras()).length > 0) return null

  const senha = recorder?.senha ?? randomBytes(18).toString('base64url')
  // A port chosen by the simulator would change after a crash, and the cameras would lose the simulator.
  const samePort = recorder && (await probePort(DEMO_HOST, recorder.porta)) === 'livre'
  const porta = samePort ? recorder.porta : await freePort(DEMO_HOST)
  const simulator = createSimulator({ porta, usuario: USUARIO, senha })
  await simulator.start()

  if (recorder && (porta !== recorder.porta || recorder.host !== DEMO_HOST))
    await client.patchGravador(recorder.id, { host: DEMO_HOST, porta })
  if (!registered) {
    const { cameras } = await client.cadastrar({
      fabricante: 'intelbras',
      host: DEMO_HOST,
      porta,
      usuario: USUARIO,
      senha,
      num_canais: NUM_CANAIS,
      empresa_id: (empresa ?? (await client.createDemonstration(EMPRESA))).id,
      canais: CAMERAS.map(({ nome }, index) => ({ canal: index + 1, nome })),
      nome_gravador: GRAVADOR,
    })
    for (const { id, canal } of cameras) {
      const vigia = CAMERAS[(canal ?? 0) - 1]?.vigia
      if (vigia) await client.patchCamera(id, vigia)
    }
  }
  await writeFile(markIn(dataDir), '')
  return simulator
}

const isOurs = ({ nome, host, usuario }: Gravador): boolean =>
  nome === GRAVADOR && [DEMO_HOST, FORMER_HOST].includes(host) && usuario === USUARIO
