import { task } from '@vigia/analysis/testing/tasks'
import pino from 'pino'
import { createHostSlots } from '../host-slots.ts'
import { createSupervisor } from '../supervisor.ts'
import { unread } from './idle.ts'

/** A main process with one camera, for tests that kill it; prints the pid of its capture process. */
const supervisor = createSupervisor({
  log: pino({ level: 'silent' }),
  entry: new URL(process.argv[2] ?? '', import.meta.url),
  slots: createHostSlots(2),
  ...unread,
  onChange: () => {
    if (supervisor.status(1)) process.send?.(supervisor.pidOf(1) ?? 0)
  },
})
supervisor.apply([task(1, 'rtsp://u:segredo@127.0.0.1:9/ok')])
