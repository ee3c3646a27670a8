import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { task } from '@vigia/analysis/testing/tasks'
import { expect, it } from 'vitest'
import type { FromCapture, ToCapture } from './protocol.ts'

const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))

it('ends at once after a fatal error, also during an inference, with another signal than an external kill', {
  timeout: 60_000,
}, async () => {
  const child = fork(new URL('./main.ts', import.meta.url), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env.PATH, VIGIA_LOG_LEVEL: 'silent' },
  })
  const send = (message: unknown) => child.send(message as ToCapture)
  const closed = once(child, 'close')
  child.on('message', (message: FromCapture) => {
    if (message.kind === 'request') send({ kind: 'granted', ticket: message.ticket })
    // The footage shows people, so the models run.
    if (message.kind === 'events') send({ kind: 'camera', task: null })
  })
  for (const id of [1, 2, 3])
    send({ kind: 'camera', task: task(id, footage), states: {}, lastFailure: null, rtspClient: 'ffmpeg' })
  expect(await closed).toEqual([null, 'SIGUSR2'])
})
