import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { openEdgeDbSomewhere } from './db/spare-db.ts'
import type { EdgeAppOptions } from './edge-options.ts'
import { activate } from './link/activation.ts'
import { createIdentityStore, type EdgeIdentity } from './link/identity.ts'
import { createRunningEdge, type RunningEdge } from './running-edge.ts'

export interface EdgeApp {
  /** Opens the database and starts the edge. Resolves before activation, which may wait for a person. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The edge's main process: link, outbox, configuration and supervision. Loads no native video or inference code. */
export function createEdgeApp(options: EdgeAppOptions): EdgeApp {
  const { config, log, onFatal } = options
  const stopping = new AbortController()
  const identities = createIdentityStore(config.dataDir)
  let running: RunningEdge | null = null
  const dbFile = join(config.dataDir, 'edge.db')
  /** Distinguishes two edges that use one identity. */
  const instancia = randomUUID()

  async function openAndRun(identity: EdgeIdentity) {
    const opened = await openEdgeDbSomewhere(dbFile, { signal: stopping.signal, log })
    if (opened === null) return
    if (!opened.ok) {
      throw new VigiaError('conflito', { detalhe: `Já há uma caixa em execução com os dados de ${config.dataDir}.` })
    }
    if (opened.damaged) {
      const { file, salvaged } = opened.damaged
      log.error(
        { arquivo: file, ...salvaged },
        'edge.db was damaged: the file was renamed, and its readable content is in a new file',
      )
    }
    if (opened.inMemory) log.error('O disco da caixa não grava: os eventos ficam só na memória até que ele volte.')
    running = createRunningEdge(identity, opened, { ...options, dbFile, instancia, identities })
    await running.start()
  }

  async function activateAndRun() {
    const identity = await activate({
      cloudUrl: config.cloudUrl,
      ...config.activation,
      log,
      signal: stopping.signal,
    })
    if (!identity) return
    await identities.save(identity)
    log.info({ edge: identity.edge_id }, 'Edge ativado.')
    await openAndRun(identity)
  }

  let beginning: Promise<void> = Promise.resolve()

  return {
    async start() {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      const identity = await identities.load()
      if (identity) await openAndRun(identity)
      else beginning = activateAndRun().catch(onFatal)
    },
    async stop() {
      stopping.abort()
      await beginning
      await running?.stop()
    },
  }
}
