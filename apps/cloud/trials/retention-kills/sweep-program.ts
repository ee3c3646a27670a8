import { join } from 'node:path'
import { pino } from 'pino'
import { createFileMediaStore } from '../../src/adapters/media-store/file-media-store.ts'
import type { MediaStore } from '../../src/adapters/media-store/interface.ts'
import { openDatabase } from '../../src/db/open.ts'
import { transact } from '../../src/db/transaction.ts'
import { sweepFiles } from '../../src/domains/eventos/eventos/discard-files.ts'
import { finishApagamento, runApagamento } from '../../src/domains/operacao/retencao/apagamentos/run-apagamento.ts'
import { sweepEmpresa } from '../../src/domains/operacao/retencao/sweep-empresa.ts'

/**
 * Starts like the cloud, sweeps one Empresa, runs its open deletions by period, and kills itself by SIGKILL at a step.
 * A step is one query, or the moment before or after the deletion of a file. Step 0: no kill. Prints the number of
 * steps.
 */
const [dir = '', empresaId = '', now = '', killStep = '0'] = process.argv.slice(2)
let steps = 0
const step = () => {
  steps += 1
  if (steps === Number(killStep)) process.kill(process.pid, 'SIGKILL')
}

const log = pino({ level: 'silent' })
const files = createFileMediaStore({ dir: join(dir, 'media') })
const media: MediaStore = {
  ...files,
  async remove(path) {
    step()
    await files.remove(path)
    step()
  },
}
let counting = false
const db = await openDatabase(join(dir, 'vigia.db'), { onQuery: () => counting && step() })
counting = true
const deps = { db, media, log, clock: { now: () => Number(now) } }
await sweepFiles(deps)
const { signal } = new AbortController()
await sweepEmpresa(deps, Number(empresaId), signal)
for (const row of await db.selectFrom('apagamentos').selectAll().where('concluido_em', 'is', null).execute()) {
  await runApagamento(deps, row, signal)
  await transact(db, (tx) => finishApagamento(tx, row, Number(now)))
}
counting = false
await db.destroy()
console.log(String(steps))
