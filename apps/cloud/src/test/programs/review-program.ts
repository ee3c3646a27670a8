import { join } from 'node:path'
import { pino } from 'pino'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { openDatabase } from '../../db/open.ts'
import { reviewEvent } from '../../domains/eventos/eventos/review-evento.ts'
import { operatorCaller as operator } from '../clients/operator-caller.ts'

/**
 * Reviews one evento and kills itself by SIGKILL at a chosen step: `put 2 after` means after the second file write. A
 * crash affects the files only at a step before or after the commit of the database.
 */
const [place = '', dir = '', eventId = '', rotulo = '', step = ''] = process.argv.slice(2)
const [killOp, killCall, killMoment] = step.split(' ')

const calls = { put: 0, remove: 0 }
async function atStep(op: 'put' | 'remove', run: () => Promise<void>): Promise<void> {
  calls[op] += 1
  const here = op === killOp && calls[op] === Number(killCall)
  const end = () => process.kill(process.pid, 'SIGKILL')
  if (here && killMoment === 'before') end()
  if (here && killMoment === 'during') setImmediate(end)
  await run()
  if (here) end()
}

const files = createFileMediaStore({ dir: join(dir, 'media') })
const media: MediaStore = {
  ...files,
  put: (path, content) => atStep('put', () => files.put(path, content)),
  remove: (path) => atStep('remove', () => files.remove(path)),
}
await reviewEvent(
  { db: await openDatabase(place), media, clock: { now: Date.now }, log: pino({ level: 'silent' }) },
  operator,
  Number(eventId),
  { rotulo_humano: rotulo === 'refutado' ? 'refutado' : 'confirmado', revisor: 'Bia' },
)
