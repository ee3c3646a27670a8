import { statSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { freePort } from '@vigia/testing/free-port'
import { startProgram } from '@vigia/testing/program'
import { packData, type RecordedAnswer, writeRecorded } from '@vigia/testing/release-folder'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { z } from 'zod'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { authorizePage } from '../clients/authorize-page.ts'
import { type Client, signIn } from '../clients/client.ts'
import { newAgent, newClient } from '../clients/oauth-flow.ts'
import { turnOn } from '../clients/second-factor.ts'
import { PUBLIC_URL } from '../clouds/still-cloud.ts'
import { ADMIN, createAccount, SENHA } from '../clouds/test-app.ts'
import { askAs, startReleaseApp } from './ask-release.ts'
import { emptyTables, fillRest, lastMigration } from './fill-store.ts'
import { cloudMessages, edgeMessages, readerSchema } from './message-schemas.ts'
import { sendEverything, sendExtras, startRecordedEdge } from './recorded-edge.ts'
import { fillAbout, fillLoja, startCounting } from './sample-installation.ts'

/** Streams, random tokens, answers of an edge and documents of the program. */
const VARYING = /\/(sse|ws|docs|auth)\/|aovivo|miniaturas|diagnostico|openapi|hls_url|\/auditoria$/

/** Largest size of the archive of a release in bytes. */
const ARCHIVE_MAX = 200_000

/**
 * Records this release: a data directory with rows in every table, the API answers from it, and its link messages. Run
 * it once, when the schema of a release is final. Returns the name of the release and the size of its archive in bytes.
 */
export async function recordRelease(): Promise<{ readonly release: string; readonly bytes: number }> {
  const dataDir = temporaryFolder('vigia-release-')
  const mqttPort = await freePort()
  const env = { VIGIA_DATA_DIR: dataDir, VIGIA_MQTT_PORT: String(mqttPort), VIGIA_LOG_LEVEL: 'warn' }
  await ensureInstallationPki({ dir: dataDir, brokerHosts: ['127.0.0.1'] })
  let verified = 0
  const app = createApp({
    config: loadConfig({
      PORT: '0',
      VIGIA_DATA_DIR: dataDir,
      VIGIA_ADMIN_USERNAME: ADMIN.username,
      VIGIA_ADMIN_PASSWORD: ADMIN.password,
      VIGIA_MQTT_URL: `mqtts://127.0.0.1:${mqttPort}`,
      VIGIA_EDGE_LOCAL: '1',
      VIGIA_URL_PUBLICA: PUBLIC_URL,
      VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8',
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
    }),
    log: pino({ level: 'warn' }),
    announce: () => {},
    verifier: {
      atOnce: 1,
      // Every third evento has no verdict.
      verify: async () => {
        verified += 1
        if (verified % 3 === 0) return { ok: false, falha: 'imagem_ilegivel', detalhe: 'sample' }
        const decisao = verified % 3 === 1 ? 'confirmado' : 'refutado'
        return { ok: true, decisao, certeza: 'alta', confianca: 0.9, motivo: 'Pessoa vista.', fonte: 'teste' }
      },
      stop: async () => {},
    },
  })
  const { port } = await app.start()
  const url = `http://127.0.0.1:${port}`
  const broker = await startProgram({ entry: 'apps/broker/src/main.ts', env })
  const pem = (name: string) => readFile(join(dataDir, `broker/tls/${name}.pem`), 'utf8')
  const installation = {
    url,
    mqttPort,
    broker: { ca: await pem('ca'), cert: await pem('cert'), key: await pem('key') },
  }

  const operator = await signIn(url, ADMIN.username, ADMIN.password)
  const account = (nome: string, by: Client) => createAccount((name) => signIn(url, name, SENHA), nome, by)
  const integradora = await account('Integradora', operator)
  const loja = await account('Loja', integradora.admin)

  const counting = await startCounting({ dataDir, url, admin: integradora.admin, operator })
  const edge = await startRecordedEdge(loja.admin, installation)
  const { cameraId, canalId } = await fillLoja(url, loja, edge)
  const first = await sendEverything(edge, cameraId, Date.now())
  await waitFor('the camera to be online', async () => {
    const camera = await loja.admin.expect<{ status: string }>(200, 'GET', `/api/v1/cameras/${cameraId}`)
    return camera.status === 'online'
  })
  await loja.admin.expect(200, 'GET', `/api/v1/cameras/${cameraId}/snapshot`)
  const ports = { host: '127.0.0.1', portas: [9], edge_id: edge.id }
  await loja.admin.expect(200, 'POST', '/api/v1/cameras/testar-conexao', ports)
  await waitFor('verdicts and the notification of one', async () => {
    const events = await loja.admin.expect<{ id: number; veredito: unknown }[]>(200, 'GET', '/api/v1/events?limit=200')
    return events.filter(({ veredito }) => veredito !== null).length >= 6
  })
  await sendExtras(edge, cameraId, first, Date.now())
  await waitFor('the passage and the extras', async () => {
    const passagens = await loja.admin.expect<unknown[]>(200, 'GET', '/api/v1/passagens')
    const events = await loja.admin.expect<{ clipe: unknown }[]>(200, 'GET', '/api/v1/events?limit=200')
    return passagens.length === 1 && events.some(({ clipe }) => clipe !== null)
  })
  const [latest] = await loja.admin.expect<{ id: number }[]>(200, 'GET', '/api/v1/events?veredito=confirmado')
  const review = { rotulo_humano: 'confirmado', revisor: 'Ana' }
  await loja.admin.expect(200, 'POST', `/api/v1/events/${latest?.id}/revisao`, review)
  await fillAbout(loja, latest?.id ?? 0, cameraId, Date.now())
  const [queued] = await loja.admin.expect<{ id: number }[]>(200, 'GET', '/api/v1/incidentes?atendido=false')
  const answer = { resposta: 'nao_sei', nota: 'A imagem está escura' }
  await loja.admin.expect(200, 'POST', `/api/v1/incidentes/${queued?.id}/atendimento`, answer)
  await loja.admin.expect(200, 'POST', `/api/v1/cameras/${cameraId}/silenciar`, { minutos: 60 })

  const login = { username: `administrador-${loja.empresaId}`, password: SENHA }
  const agent = await newAgent({ url }, login, 'Agente guardado')
  const { ticket } = authorizePage({ url })
  await ticket(await newClient({ url }), login)
  const escopo = { nome: 'Integração', escopo: 'leitura', empresa_id: loja.empresaId }
  await loja.admin.expect(201, 'POST', '/api/v1/chaves', escopo)
  await turnOn({ clock: { now: Date.now, advance: () => {} } }, loja.usuario)
  await waitFor('the answer to the renewal', () => edge.messages.some(({ topic }) => topic.endsWith('/certificado')))
  await edge.stop()
  await counting.leaveWaiting(() => broker.stop())
  await app.stop()

  const now = Date.now()
  fillRest(dataDir, {
    raizId: integradora.empresaId,
    empresaId: loja.empresaId,
    edgeId: edge.id,
    cameraId,
    canalId,
    now,
  })
  for (const name of ['logs', 'cloud/limites.db', 'edge/edge.db-lastro', 'cloud/senha-inicial'])
    await rm(join(dataDir, name), { recursive: true, force: true })
  const empty = emptyTables(dataDir).filter((name) => !name.endsWith('kysely_migration_lock'))
  if (empty.length > 0) throw new Error(`tables without a row: ${empty.join(', ')}`)

  const tokens = {
    operator: operator.token,
    integradora: integradora.admin.token,
    loja: loja.admin.token,
    usuario: loja.usuario.token,
  }
  const release = lastMigration(dataDir)
  const archive = await packData(release, dataDir)
  const size = statSync(archive).size
  if (size > ARCHIVE_MAX) throw new Error(`${archive} holds ${size} bytes, more than ${ARCHIVE_MAX}`)
  await writeRecorded(release, 'answers', {
    now,
    tokens,
    password: SENHA,
    agent: { clientId: agent.clientId, refreshToken: agent.refresh_token },
    answers: await recordAnswers({ dataDir, tokens, now }),
  })
  await writeRecorded(release, 'messages', {
    edgeId: edge.id,
    empresaId: loja.empresaId,
    cameraId,
    sealKey: edge.sealKey,
    fromEdge: edge.messages.filter(({ topic }) =>
      /(candidatos|extras|relato|presenca|respostas|aovivo|renovacao)$/.test(topic),
    ),
    fromCloud: edge.messages.filter(({ topic }) => /(confirmacoes|desejado|pedidos|certificado)$/.test(topic)),
    schemas: Object.fromEntries(
      Object.entries({ ...edgeMessages, ...cloudMessages }).map(([name, schema]) => [name, readerSchema(schema)]),
    ),
  })
  await rm(dataDir, { recursive: true, force: true })
  return { release, bytes: size }
}

/** The data directory of the release, and the session tokens of its callers. */
interface Recorded {
  readonly dataDir: string
  readonly tokens: Readonly<Record<string, string>>
  /** Time of the clock for the answers. */
  readonly now: number
}

/**
 * Answers of every readable route of the API for each caller, with the ids from its lists.
 * @throws Error if a route answers differently from an equal folder: it belongs into VARYING
 */
async function recordAnswers(recorded: Recorded): Promise<RecordedAnswer[]> {
  const [answers, again] = [await answersOfCopy(recorded), await answersOfCopy(recorded)]
  const varying = answers.flatMap(({ path }, at) => (isDeepStrictEqual(answers[at], again[at]) ? [] : path))
  if (varying.length > 0) throw new Error(`answers that vary: ${[...new Set(varying)].join(', ')}`)
  return answers
}

async function answersOfCopy({ dataDir, tokens, now }: Recorded): Promise<RecordedAnswer[]> {
  const copy = temporaryFolder('vigia-release-copy-')
  await cp(dataDir, copy, { recursive: true })
  const running = await startReleaseApp(copy, now)
  const answers: RecordedAnswer[] = []
  const callers = Object.entries(tokens)
  // First, because some of the other answers are recorded in the audit log.
  for (const [caller, token] of callers) answers.push(await askAs(running.url, caller, token, '/api/v1/auditoria'))
  for (const [caller, token] of callers)
    for (const path of await pathsFor(running.routes, running.url, token))
      answers.push(await askAs(running.url, caller, token, path))
  await running.stop()
  await rm(copy, { recursive: true, force: true })
  return answers
}

async function pathsFor(routes: readonly Route[], base: string, token: string): Promise<string[]> {
  const lists: Record<string, string> = { crops: 'events' }
  const readable = routes.filter(
    ({ method, path, acesso }) =>
      method === 'get' &&
      path.startsWith('/api/v1/') &&
      acesso !== 'publico' &&
      acesso !== 'edge' &&
      !VARYING.test(path) &&
      (path.match(/\{/g) ?? []).length <= 1,
  )
  const paths: string[] = []
  for (const { path } of readable) {
    const [, segment] = /\/([\w-]+)\/\{\w+\}/.exec(path) ?? []
    if (segment === undefined) {
      paths.push(path)
      continue
    }
    const { body } = await askAs(base, '', token, `/api/v1/${lists[segment] ?? segment}`)
    // Some nouns have no list, or one that this caller may not read.
    const ids = z.array(z.object({ id: z.number() })).safeParse(body).data ?? []
    paths.push(...ids.map(({ id }) => path.replace(/\{\w+\}/, String(id))))
  }
  return [...paths, '/api/v1/events?limit=200', '/api/v1/events?veredito=pendente', '/api/v1/quedas?abertas=false']
}
