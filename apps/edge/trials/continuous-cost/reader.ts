import { createConnection } from '@vigia/video/connection'
import { createLivePackager } from '../../src/capture/live-packager.ts'
import type { FromReader, ReadOrder } from './protocol.ts'

/** Reads streams as a capture process does, without analysis. The first message is the order. */

const send = (message: FromReader) => process.send?.(message)
const never = new AbortController().signal

process.once('message', ({ urls, records, partMs }: ReadOrder) => {
  for (const [camera, url] of urls.entries()) {
    const connection = createConnection({ url })
    const onRecord = (registro: Extract<FromReader, { kind: 'record' }>['registro']) =>
      send({ kind: 'record', camera, registro })
    const figures = () => ({ fps: null, gopMs: null })
    connection.attach(records ? createLivePackager({ partMs, audio: false, figures, onRecord }) : { packet: () => {} })
    void connection.run(never)
  }
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    send({ kind: 'cpu', seconds: (user + system) / 1e6 })
  })
})
process.on('disconnect', () => process.exit())
