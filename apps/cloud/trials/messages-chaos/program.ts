import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { createBus } from '../../src/adapters/bus.ts'
import { createFileMediaStore } from '../../src/adapters/media-store/file-media-store.ts'
import type { Verifier } from '../../src/adapters/verifier/interface.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createDelivery } from '../../src/domains/mensagens/notificacoes/delivery.ts'
import { ingestBatch } from '../../src/domains/operacao/ingestao/ingest-batch.ts'
import { createVerification } from '../../src/domains/operacao/verificacao/verification.ts'
import { loopbackSenders, queueBox } from '../../src/test/records/queue-records.ts'
import type { FromParent, KillPoint } from './protocol.ts'

/**
 * The cloud from ingest to delivery, on the folder of its first argument. Ends itself by SIGKILL at the point of its
 * second argument, after as many passes of this point as the third one says.
 */
const [dir = '', point = 'nenhum', passes = '1'] = process.argv.slice(2)
let left = Number(passes)
function reach(here: KillPoint): void {
  if (here !== point) return
  left -= 1
  if (left <= 0) process.kill(process.pid, 'SIGKILL')
}

/** Refutes what the first model was not sure of. */
const verifier: Verifier = {
  atOnce: 2,
  async verify({ caixas }) {
    await delay(5)
    const decisao = (caixas[0]?.confianca ?? 0) < 0.5 ? 'refutado' : 'confirmado'
    return { ok: true, decisao, certeza: 'alta', confianca: 0.9, motivo: 'Conferido.', fonte: 'teste' }
  },
  stop: async () => {},
}

/** The log states each commit after it happened. */
const points: Readonly<Record<string, KillPoint>> = {
  'event verified': 'veredito',
  'message timer done': 'agrupamento',
}
const log = pino(
  { level: 'info' },
  {
    write(line: string) {
      const here = points[(JSON.parse(line) as { msg: string }).msg]
      if (here) reach(here)
    },
  },
)

const db = await openDatabase(join(dir, 'vigia.db'))
const clock = { now: () => Date.now() }
const bus = createBus()
const media = createFileMediaStore({ dir: join(dir, 'media') })
const senders = loopbackSenders(clock)
const verification = createVerification({ db, media, verifier, clock, bus, log })
const delivery = createDelivery({
  db,
  clock,
  box: queueBox,
  bus,
  log,
  senders: {
    ...senders,
    webhook: {
      async send(...args) {
        const entrega = await senders.webhook.send(...args)
        reach('entrega')
        return entrega
      },
    },
  },
})
verification.start()
delivery.start()

process.on('message', async ({ id, edgeId, payload }: FromParent) => {
  const { ok } = await ingestBatch({ db, media, clock }, edgeId, Buffer.from(payload, 'base64'))
  reach('commit')
  verification.wake()
  process.send?.({ id, ok })
})
process.on('disconnect', () => process.exit())
process.send?.({ id: 0, ok: true })
