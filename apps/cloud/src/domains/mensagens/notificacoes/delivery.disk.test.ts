import { join } from 'node:path'
import { canMount, mountSmallDisk } from '@vigia/testing/small-disk'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createBus } from '../../../adapters/bus.ts'
import { openDatabase } from '../../../db/open.ts'
import { giveVerdict, loopbackSenders, queueBox, seedCanal, seedPending } from '../../../test/records/queue-records.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { startHttpReceiver } from '../../../test/stand-ins/http-receiver.ts'
import { createDelivery } from './delivery.ts'

it.skipIf(!canMount())(
  'does not repeat a notification sent before the disk was full (needs the right to mount)',
  async () => {
    const disk = mountSmallDisk(16)
    const errors: unknown[] = []
    const db = await openDatabase(join(disk.dir, 'vigia.db'), { onError: (error) => errors.push(error) })
    const receiver = await startHttpReceiver((response) => {
      disk.fill()
      response.writeHead(204).end()
    })
    const clock = { now: Date.now }
    const origin = await seedCamera(db)
    await seedCanal(db, { empresa_id: origin.empresaId, destino: receiver.url })
    await giveVerdict(db, await seedPending(db, origin))
    const deps = { db, clock, box: queueBox, senders: loopbackSenders(clock), bus: createBus() }
    const delivery = createDelivery({ ...deps, log: pino({ level: 'silent' }) })
    try {
      delivery.start()
      await waitFor('a note that was refused', () => errors.length > 0)
      expect(errors[0]).toMatchObject({ code: 'SQLITE_FULL' })
      disk.free()
      await waitFor('the note', async () => (await db.selectFrom('trabalhos').select('id').execute()).length === 0)
      expect(receiver.received).toHaveLength(1)
    } finally {
      await delivery.stop()
      await receiver.close()
      await db.destroy()
      disk.unmount()
    }
  },
)
