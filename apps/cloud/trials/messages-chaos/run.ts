import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { type Database, openDatabase } from '../../src/db/open.ts'
import { seedCanal } from '../../src/test/records/queue-records.ts'
import { batch, candidate, type HeldRecord, seedCamera, seedOneCamera } from '../../src/test/records/records.ts'
import { startHttpReceiver } from '../../src/test/stand-ins/http-receiver.ts'
import { type FromProgram, type KillPoint, killPoints } from './protocol.ts'

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url))
/** A round that does not reach its kill point ends by a kill after this time. */
const ROUND_MS = 60_000
/** Time without any progress after which the work at the end counts as stuck. A loaded machine needs long for all. */
const STUCK_MS = 60_000

interface Options {
  readonly rounds: number
  /** Called after each round with the point of its kill. */
  readonly onRound?: (round: number, point: KillPoint) => void
}

export interface ChaosReport {
  /** Rounds whose kill came at the intended point. */
  readonly kills: number
  readonly confirmed: number
  readonly incidentes: number
  readonly received: number
  /** One sentence per lost, additional or ambiguous message; empty: all promises hold. */
  readonly problems: readonly string[]
}

/**
 * Sends events through ingest, verification, grouping and delivery of a program that is killed in each round. Then
 * compares the accepted messages with the stored verdicts.
 */
export async function runMessageChaos({ rounds, onRound = () => {} }: Options): Promise<ChaosReport> {
  const dir = temporaryFolder('vigia-mensagens-')
  const hook = await startHttpReceiver()
  const db = await openDatabase(join(dir, 'vigia.db'))
  try {
    const origin = await seedCamera(db)
    const canal = { empresa_id: origin.empresaId, intervalo_s: 1 }
    await seedCanal(db, { ...canal, destino: `${hook.url}/incidentes`, agrupar: true })
    await seedCanal(db, { ...canal, destino: `${hook.url}/eventos`, agrupar: false })
    const edge = createEdge(db, origin)
    let kills = 0
    for (let round = 1; round <= rounds; round += 1) {
      const point = killPoints[round % killPoints.length] ?? 'qualquer'
      await edge.see()
      const passes = point === 'commit' ? 1 : 1 + (Math.floor(round / killPoints.length) % 2)
      if (await playRound(dir, edge, point, passes)) kills += 1
      onRound(round, point)
    }
    const left = await settle(dir, { db, edge, received: () => hook.received.length })
    const accepted = hook.received.map(({ path, body }) => ({ path, body: JSON.parse(body) as CorpoWebhook }))
    const { problems, ...counts } = await compare(db, accepted)
    return { kills, received: accepted.length, ...counts, problems: [...left, ...problems] }
  } finally {
    await hook.close()
    await db.destroy()
    await rm(dir, { recursive: true, force: true })
  }
}

type Edge = ReturnType<typeof createEdge>

/** The outbox of an edge: it holds each record until a program has confirmed it. */
function createEdge(db: Database, origin: Awaited<ReturnType<typeof seedCamera>>) {
  const held = new Map<number, string>()
  const seqs = new Map<number, number>()
  let previous: number[] = []
  let batches = 0
  const record = (cameraId: number, isTrue: boolean): HeldRecord => {
    const seq = (seqs.get(cameraId) ?? 0) + 1
    seqs.set(cameraId, seq)
    const box = { rotulo: 'person', confianca: isTrue ? 0.7 : 0.2, x: 0.2, y: 0.2, w: 0.3, h: 0.6 }
    return candidate(cameraId, seq, { change: { ocorrido_em: Date.now(), caixas: [box] } })
  }
  return {
    held,
    edgeId: origin.edgeId,
    /** Three new cameras, each with an incidente; the last one is refuted. The former ones see one event more. */
    async see() {
      const cameras = []
      for (let n = 0; n < 3; n += 1) cameras.push(await seedOneCamera(db, origin.empresaId, origin.edgeId))
      const records = [
        ...cameras.flatMap((id, n) => [record(id, n < 2), record(id, n < 1)]),
        ...previous.map((id) => record(id, true)),
      ]
      previous = cameras.slice(0, 2)
      batches += 1
      held.set(batches, batch(records).toString('base64'))
    },
  }
}

function startProgram(dir: string, edge: Edge, args: readonly string[]): ChildProcess {
  const program = fork(PROGRAM, [dir, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  program.on('message', ({ id, ok }: FromProgram) => {
    if (ok) edge.held.delete(id)
    const next = edge.held.entries().next().value
    if (next) program.send({ id: next[0], edgeId: edge.edgeId, payload: next[1] }, () => {})
  })
  return program
}

/** @returns whether the program reached its kill point */
async function playRound(dir: string, edge: Edge, point: KillPoint, passes: number): Promise<boolean> {
  const program = startProgram(dir, edge, [point, String(passes)])
  const ended = once(program, 'exit')
  await once(program, 'message')
  const isRandom = point === 'qualquer'
  let isLate = false
  const timer = setTimeout(
    () => {
      isLate = !isRandom
      program.kill('SIGKILL')
    },
    isRandom ? Math.random() * 1_000 : ROUND_MS,
  )
  await ended
  clearTimeout(timer)
  return !isLate
}

interface Settling {
  readonly db: Database
  readonly edge: Edge
  readonly received: () => number
}

/** Runs the program without a kill until no work is left, or until nothing changes any more. */
async function settle(dir: string, { db, edge, received }: Settling): Promise<string[]> {
  const program = startProgram(dir, edge, ['nenhum'])
  const ended = once(program, 'exit')
  let last = ''
  let changedAt = performance.now()
  const isSettled = async () => {
    const { n } = await db
      .selectFrom('trabalhos')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    const state = `${edge.held.size} ${n} ${received()}`
    if (state !== last) changedAt = performance.now()
    last = state
    return state.startsWith('0 0 ') || performance.now() - changedAt > STUCK_MS
  }
  await waitFor('the end of all work', isSettled, { everyMs: 100, timeoutMs: Number.POSITIVE_INFINITY })
  const left = await leftOver(db, edge)
  program.kill('SIGKILL')
  await ended
  return left
}

/** Work that did not end, one sentence each. */
async function leftOver(db: Database, { held }: Edge): Promise<string[]> {
  const works = await db.selectFrom('trabalhos').selectAll().execute()
  return [
    ...[...held.keys()].map((id) => `batch ${id} is not confirmed`),
    ...works.map(
      ({ tipo, chave, estado, em, tentativas, erro }) =>
        `${tipo} ${chave} is ${estado} until ${em} after ${tentativas} attempts: ${erro}`,
    ),
  ]
}

interface Accepted {
  readonly path: string
  readonly body: CorpoWebhook
}

async function compare(db: Database, accepted: readonly Accepted[]) {
  const events = await db.selectFrom('eventos').select(['id', 'incidente_id', 'veredito_decisao']).execute()
  const confirmed = events.filter(({ veredito_decisao }) => veredito_decisao === 'confirmado')
  const problems: string[] = []
  const idsOf = new Map<string, Set<string>>()
  const note = (subject: string, id: string | null) =>
    idsOf.set(subject, (idsOf.get(subject) ?? new Set()).add(id ?? ''))
  for (const { path, body } of accepted) {
    if (path.endsWith('/eventos')) {
      if (body.tipo === 'evento.confirmado') note(`event ${body.evento.id}`, body.id)
      else problems.push(`${body.tipo} reached the canal of events`)
    } else if (body.tipo === 'incidente') {
      note(`incidente ${body.incidente.id}`, body.fase === 'novo' ? body.id : null)
    } else if (body.tipo === 'resumo') {
      for (const item of body.incidentes) note(`incidente ${item.id}`, item.mensagem_id)
    } else problems.push(`${body.tipo} reached the canal of incidentes`)
  }
  const wanted = new Set(confirmed.flatMap(({ id, incidente_id }) => [`event ${id}`, `incidente ${incidente_id}`]))
  for (const subject of wanted) {
    const ids = [...(idsOf.get(subject) ?? [])].filter((id) => id !== '')
    if (ids.length !== 1) problems.push(`${subject} arrived under ${ids.length} ids`)
  }
  for (const subject of idsOf.keys()) if (!wanted.has(subject)) problems.push(`${subject} arrived without a verdict`)
  if (events.some(({ veredito_decisao }) => veredito_decisao === null)) problems.push('an event has no verdict')
  const uncovered = await db.selectFrom('avisos_evento').select('evento_id').where('mensagem_id', 'is', null).execute()
  for (const { evento_id } of uncovered) problems.push(`event ${evento_id} is in no message`)
  return {
    confirmed: confirmed.length,
    incidentes: new Set(confirmed.map(({ incidente_id }) => incidente_id)).size,
    problems,
  }
}
