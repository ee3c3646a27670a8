import { pino } from 'pino'
import { createBus } from '../../adapters/bus.ts'
import { openDatabase } from '../../db/open.ts'
import { createDelivery } from '../../domains/mensagens/notificacoes/delivery.ts'
import { loopbackSenders, queueBox } from '../records/queue-records.ts'

/**
 * Processes the notification queue in the database of its argument. Kills itself by SIGKILL after the first destination
 * accepted its notification, before the queue records the delivery.
 */
const [file = ''] = process.argv.slice(2)
const clock = { now: Date.now }
const { webhook, ...others } = loopbackSenders(clock)
createDelivery({
  db: await openDatabase(file),
  clock,
  box: queueBox,
  senders: {
    ...others,
    webhook: {
      async send(...args) {
        const entrega = await webhook.send(...args)
        process.kill(process.pid, 'SIGKILL')
        return entrega
      },
    },
  },
  bus: createBus(),
  log: pino({ level: 'silent' }),
}).start()
