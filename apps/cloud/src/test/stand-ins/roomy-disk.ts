import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBallast } from '@vigia/runtime/ballast'
import { pino } from 'pino'
import { createDiskSpace } from '../../adapters/disk-space.ts'

/** A monitor of the disk of temporary folders that always reports enough free space. Never started. */
export const roomyDisk = createDiskSpace({
  dirs: [tmpdir()],
  lowBytes: 0,
  minimumBytes: 0,
  ballast: createBallast(join(tmpdir(), 'vigia-nada')),
  log: pino({ level: 'silent' }),
})
