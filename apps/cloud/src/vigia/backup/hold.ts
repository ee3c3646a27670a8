import { randomUUID } from 'node:crypto'
import { endMediaHold, HOLD_MS, renewMediaHold, takeMediaHold } from '../../db/media-hold.ts'
import type { Database } from '../../db/open.ts'
import { CommandError } from '../command.ts'

/** While it lasts, no process of the installation deletes media. */
export interface Hold {
  /** @throws CommandError if the hold has ended, so that files may be missing */
  require(): void
  end(): Promise<void>
}

export async function holdMedia(db: Database): Promise<Hold> {
  const holder = `vigia-${randomUUID()}`
  await takeMediaHold(db, holder)
  let lost: string | null = null
  const renew = async () => {
    try {
      if (!(await renewMediaHold(db, holder))) lost = 'a reserva dos arquivos acabou'
    } catch (error) {
      lost = error instanceof Error ? error.message : String(error)
    }
  }
  let renewing = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renew()
  }, HOLD_MS / 4)
  return {
    require() {
      if (lost !== null) throw new CommandError(`A cópia foi interrompida (${lost}). Tente de novo.`)
    },
    async end() {
      clearInterval(timer)
      await renewing
      await endMediaHold(db, holder)
    },
  }
}
