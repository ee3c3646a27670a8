import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CloudLink } from '@vigia/link/cloud-link'
import type { Clock } from '../../../adapters/clock.ts'
import { hashActivationCode } from '../../../adapters/one-time-code.ts'
import { auditCamera } from '../../../audit/audit-camera.ts'
import { sistema } from '../../../audit/audit-change.ts'
import { auditEdge } from '../../../audit/audit-edge.ts'
import { lockName } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import type { Logger } from '../../../http/request-log.ts'
import { edgeStatus } from './edge-status.ts'
import { issueCode } from './issue-code.ts'
import { adoptOrphans, type EdgeRow, findLocalEdge, insertEdge, saveCode, storedEdge } from './store.ts'

export interface LocalEdge {
  /** Creates the local edge's row and its code file; call it before cameras can be created. */
  start(): Promise<void>
  stop(): Promise<void>
}

const CHECK_MS = 2000
/** An activated edge without contact for this time may have lost its identity and gets a new code. */
const LOST_MS = 60_000
/** A code is replaced this long before it expires. */
const RENEW_MS = 3_600_000

/**
 * The edge of an all-in-one installation. It exists from the first start and belongs to no Empresa. While it needs an
 * activation code, a file that only the owner can read holds one.
 */
export function createLocalEdge({
  db,
  clock,
  link,
  file,
  log,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly link: Pick<CloudLink, 'connected' | 'onConnected'>
  /** Path of the code file. */
  readonly file: string
  readonly log: Logger
}): LocalEdge {
  let timer: NodeJS.Timeout | undefined
  /** Start of the current broker connection in epoch ms. */
  let listeningSince = 0
  let checking: Promise<void> = Promise.resolve()

  const needsCode = (edge: EdgeRow, now: number): boolean => {
    const status = edgeStatus(edge, now)
    if (status === 'aguardando') return true
    // Without a broker connection no edge counts as lost.
    if (status !== 'offline' || !link.connected) return false
    return now - Math.max(edge.visto_em ?? 0, edge.ativado_em ?? 0, listeningSince) > LOST_MS
  }

  const check = async () => {
    const now = clock.now()
    const edge = await findLocalEdge(db)
    if (!edge) return
    if (!needsCode(edge, now)) {
      await rm(file, { force: true })
      return
    }
    const stored = await readCode(file)
    const valid = (edge.codigo_expira_em ?? 0) > now + RENEW_MS
    if (valid && stored !== null && hashActivationCode(stored) === edge.codigo_hash) return
    const codigo = issueCode(now)
    await transact(db, async (tx) => {
      await saveCode(tx, edge.id, codigo.stored)
      const after = await storedEdge(tx, edge.id)
      await auditEdge(tx, now, sistema, { acao: 'emitir_codigo', antes: edge, depois: after })
    })
    await writeCode(file, codigo.shown.codigo)
  }

  return {
    async start() {
      const startedAt = clock.now()
      listeningSince = startedAt
      link.onConnected(() => {
        listeningSince = clock.now()
      })
      await transact(db, async (tx) => {
        await lockName(tx, 'partida')
        if (await findLocalEdge(tx)) return
        const edge = { nome: 'Caixa local', empresa_id: null, local: 1, criado_em: startedAt } as const
        const id = await insertEdge(tx, edge, issueCode(startedAt).stored)
        await auditEdge(tx, startedAt, sistema, { antes: null, depois: await storedEdge(tx, id) })
        for (const camera of await adoptOrphans(tx, id))
          await auditCamera(tx, startedAt, sistema, { antes: { ...camera, edge_id: null }, depois: camera })
      })
      await check()
      timer = setInterval(() => {
        checking = checking.then(check).catch((err: unknown) => log.error({ err }, 'local edge code not written'))
      }, CHECK_MS)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await checking
    },
  }
}

async function readCode(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Writes the code atomically, so that a reader never sees a partial one. */
async function writeCode(file: string, codigo: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.tmp`
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${codigo}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}
