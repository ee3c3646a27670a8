import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { task } from '@vigia/analysis/testing/tasks'
import { startRecorder } from '@vigia/testing/simulator'
import { expect, it, onTestFinished } from 'vitest'
import type { FromCapture, ToCapture } from './protocol.ts'

type Received<K extends FromCapture['kind']> = Extract<FromCapture, { kind: K }>

const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))

const start = () =>
  fork(new URL('./main.ts', import.meta.url), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { PATH: process.env.PATH, VIGIA_LOG_LEVEL: 'silent' },
  })

it('ends at once after a fatal error, also during an inference, with another signal than an external kill', {
  timeout: 60_000,
}, async () => {
  const child = start()
  const send = (message: unknown) => child.send(message as ToCapture)
  const closed = once(child, 'close')
  child.on('message', (message: FromCapture) => {
    if (message.kind === 'request') send({ kind: 'granted', ticket: message.ticket })
    // The footage shows people, so the models run.
    if (message.kind === 'events') send({ kind: 'camera', task: null })
  })
  for (const id of [1, 2, 3])
    send({ kind: 'camera', task: task(id, footage), states: {}, lastFailure: null, rtspClient: 'own', keptClients: [] })
  expect(await closed).toEqual([null, 'SIGUSR2'])
})

it('delivers the clips of its events before it stops', async () => {
  // A file would end and begin again: the pictures of an event that is late are then gone, and it has no clip.
  const recorder = await startRecorder({ canais: [footage] })
  onTestFinished(() => recorder.close())
  const child = start()
  const send = (message: ToCapture) => child.send(message)
  const messages: FromCapture[] = []
  const closed = once(child, 'close')
  child.on('message', (message: FromCapture) => {
    messages.push(message)
    if (message.kind === 'request') send({ kind: 'granted', ticket: message.ticket })
    if (message.kind === 'events') send({ kind: 'stop' })
  })
  const clips = { ...task(1, recorder.url(1)), clips: true }
  send({ kind: 'camera', task: clips, states: {}, lastFailure: null, rtspClient: 'own', keptClients: [] })
  await closed
  const of = <K extends FromCapture['kind']>(kind: K) => messages.filter((one): one is Received<K> => one.kind === kind)
  const expected = of('events').flatMap(({ events }) => events.map(({ clipRef }) => clipRef))
  const given = of('clip').flatMap(({ clip }) => clip.events.map(({ ref }) => ref))
  expect(expected.length).toBeGreaterThan(0)
  expect(given.toSorted()).toEqual(expected.toSorted())
})
