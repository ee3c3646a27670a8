import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { type AlertStream, openAlertStream } from '@vigia/testing/alert-stream'
import type { Api } from '@vigia/testing/api'
import { type Cluster, clusterInstaller, type ReplicaProcess } from '@vigia/testing/install-cluster'
import { OPERATOR } from '@vigia/testing/installation'
import { mosquittoProgram } from '@vigia/testing/mosquitto'
import { hasNginx, startNginx } from '@vigia/testing/nginx'
import { startS3Server } from '@vigia/testing/s3-server'
import { waitFor } from '@vigia/testing/wait'
import { type Child, createChild } from '../../src/child.ts'
import { signIn } from '../../src/cloud-client.ts'
import { DEMO_HOST, simulatorArgs, startDemo } from '../../src/demo.ts'

/** A step that succeeded. */
export interface Step {
  readonly name: string
  readonly ms: number
  readonly result: string
}

const BUCKET = 'vigia'
/** The demonstration alerts within a minute. A slow machine needs longer for its first models. */
const ALERT_MS = 180_000

/** @throws Error with the command that installs what is missing */
export function requirePackages(): void {
  const missing = [
    ...(mosquittoProgram === null ? ['mosquitto'] : []),
    ...(hasNginx() ? [] : ['nginx-light']),
    ...(existsSync('/usr/bin/curl') ? [] : ['curl']),
  ]
  if (missing.length > 0) throw new Error(`missing packages: apt-get install ${missing.join(' ')}`)
}

/**
 * Starts the set-up, runs the demonstration and stops one replica after the other. `meanwhile` runs at the end.
 * @throws Error if a step fails or an alert is missing
 */
export async function tryCluster(
  onStep: (step: Step) => void,
  meanwhile: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const closers: (() => Promise<unknown>)[] = []
  const step = async <T>(name: string, run: () => Promise<T>, describe: (result: T) => string): Promise<T> => {
    const begin = performance.now()
    const result = await run()
    onStep({ name, ms: performance.now() - begin, result: describe(result) })
    return result
  }
  try {
    const s3 = await step(
      'S3 server (s3rver)',
      () => startS3Server({ buckets: [BUCKET] }),
      ({ url }) => url,
    )
    closers.push(() => s3.stop())
    const media = {
      VIGIA_MIDIA: `s3://${BUCKET}/central`,
      VIGIA_S3_ENDPOINT: s3.url,
      VIGIA_S3_CHAVE_ID: s3.id,
      VIGIA_S3_CHAVE_SECRETA: s3.secret,
    }
    const install = clusterInstaller({ count: 2, startFront: startNginx, media })
    const env = { VIGIA_SONDAGEM_PERMITIR: `${DEMO_HOST}/32` }
    const cluster = await step(
      'PostgreSQL, 2 replicas, nginx, mosquitto, edge',
      () => install(env, { broker: 'mosquitto' }),
      ({ base }) => base,
    )
    closers.push(() => cluster.close())
    const simulator = await step(
      'demonstration registered',
      () => startDemonstration(cluster),
      () => 'recorder with 3 cameras',
    )
    closers.push(() => simulator.stop())
    const api = await cluster.signIn()
    const stream = await openAlertStream(api)
    closers.push(async () => stream.close())
    await tryAlerts({ cluster, api, stream, step })
    await meanwhile(cluster)
  } finally {
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error))
  }
}

async function startDemonstration({ base, dataDir }: Cluster): Promise<Child> {
  const client = await signIn(base, OPERATOR.username, OPERATOR.password)
  if (client === null) throw new Error('the operator cannot sign in')
  const createSimulator = ({ porta, usuario, senha }: { porta: number; usuario: string; senha: string }) =>
    createChild({
      name: 'simulador',
      entry: new URL('../../../dvr-simulator/src/main.ts', import.meta.url),
      args: simulatorArgs(porta),
      env: { ...process.env, VIGIA_SIM_USUARIO: usuario, VIGIA_SIM_SENHA: senha },
      logFile: join(dataDir, 'simulador.log'),
      silenceMs: 30_000,
      onCrash: ({ reason }) => console.error(`simulator ended: ${reason}`),
    })
  const simulator = await startDemo({ client, dataDir, createSimulator })
  await client.logout()
  if (simulator === null) throw new Error('the demonstration did not start')
  return simulator
}

interface Trial {
  readonly cluster: Cluster
  readonly api: Api
  readonly stream: AlertStream
  readonly step: <T>(name: string, run: () => Promise<T>, describe: (result: T) => string) => Promise<T>
}

async function tryAlerts({ cluster, api, stream, step }: Trial): Promise<void> {
  const [one, two] = cluster.replicas as [ReplicaProcess, ReplicaProcess]
  const nextAlert = () => {
    const known = new Set(stream.alertas.map(({ id }) => id))
    return stream.nextAlert('an alert', ({ id }) => !known.has(id), ALERT_MS)
  }
  const first = await step('first confirmed alert', nextAlert, ({ tipo, camera_nome }) => `${tipo}, ${camera_nome}`)
  await step(
    'its picture, from the S3 server',
    () => readPicture(cluster, api, first),
    (bytes) => `${bytes} bytes`,
  )
  await step(
    'both replicas have it',
    () => Promise.all([one, two].map(({ program }) => readEvento(program.porta, api, first))),
    () => `evento ${first.id}`,
  )
  await step('alert after replica 1 was killed', () => one.program.kill().then(nextAlert), describeAlert)
  await step(
    'replica 1 started again',
    () => one.start(),
    () => 'ready',
  )
  await step('alert after replica 2 was stopped', () => two.program.stop().then(nextAlert), describeAlert)
  await step(
    'replica 2 started again',
    () => two.start(),
    () => 'ready',
  )
  await step(
    'all cameras online',
    () => waitFor('the cameras', () => onlineCameras(api), { timeoutMs: ALERT_MS }),
    (count) => `${count}`,
  )
  const ids = stream.alertas.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) throw new Error(`an alert came twice: ${ids.join()}`)
}

/** null: not all of them are online. */
async function onlineCameras(api: Api): Promise<number | null> {
  const cameras = await api.get<Camera[]>('/cameras')
  return cameras.length > 0 && cameras.every(({ status }) => status === 'online') ? cameras.length : null
}

const describeAlert = ({ id, tipo }: Evento): string => `evento ${id}, ${tipo}`

async function readPicture({ replicas, dataDir }: Cluster, api: Api, { id }: Evento): Promise<number> {
  const answer = await api.fetch(`/crops/${id}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (!answer.ok || bytes.readUInt16BE(0) !== 0xffd8) throw new Error(`no JPEG: HTTP ${answer.status}`)
  const folders = ['cloud/media', ...replicas.slice(1).map((_replica, at) => `replica-${at + 2}/cloud/media`)]
  const local = folders.filter((folder) => existsSync(join(dataDir, folder)))
  if (local.length > 0) throw new Error(`media on the disk of a replica: ${local.join()}`)
  return bytes.length
}

async function readEvento(port: number | undefined, { token }: Api, { id }: Evento): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/events/${id}`, { headers })
  if (!answer.ok) throw new Error(`replica on port ${port}: HTTP ${answer.status}`)
}
