import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { above, below, resultOf } from '@vigia/testing/checks'
import { startNarrowLine } from '@vigia/testing/narrow-line'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'
import { WebSocketServer } from 'ws'
import { createStreamUpload, type StreamUpload } from '../../src/streams/stream-upload.ts'
import { createUplinkBudget } from '../../src/streams/uplink-budget.ts'

/** Real connections behind a line of 2 Mbit/s. */
const KBPS = 2_000
const TILES = 16
/** Tiles of 0.46 Mbit/s with a keyframe every 2 s. */
const PART_MS = 250
const PARTS = 8
const FIRST_BYTES = 24_000
const BYTES = 13_000
/** An alert with its crop and whole frame. */
const ALERT_BYTES = 60_000
const ALERTS = 4
/** Promise of docs/performance.md for an event behind a full line. */
const PROMISE_MS = 1_500

interface Cloud {
  readonly port: number
  /** Number of arrived parts. */
  parts(): number
}

/** Measures alerts beside the streams of 16 tiles. */
export async function carryOut({ print }: TrialOutput): Promise<Result> {
  const ends: (() => unknown)[] = []
  try {
    return await measure(await startCloud(ends), ends, print)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** A cloud behind the line, which reads parts and alerts. */
async function startCloud(ends: (() => unknown)[]): Promise<Cloud> {
  let parts = 0
  const server = createServer((from, to) => from.resume().on('end', () => to.end()))
  const wss = new WebSocketServer({ server })
  wss.on('connection', (socket) => socket.on('message', () => parts++))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close().closeAllConnections())
  const line = await startNarrowLine((server.address() as AddressInfo).port)
  line.kbps = KBPS
  ends.push(line.close)
  return { port: line.port, parts: () => parts }
}

/** Time until the cloud has an alert, ms. */
async function alertMs(port: number): Promise<number> {
  const begun = performance.now()
  const sent = request({ port, host: '127.0.0.1', method: 'POST' })
  sent.end(Buffer.alloc(ALERT_BYTES))
  const [answer] = await once(sent, 'response')
  await once(answer.resume(), 'end')
  return performance.now() - begun
}

const part = (produced: number): RegistroTransmissao => {
  const indice = produced % PARTS
  const dados = Buffer.alloc(indice === 0 ? FIRST_BYTES : BYTES)
  dados.write('moof', 4, 'latin1')
  const [segmento, duracao] = [Math.floor(produced / PARTS), PART_MS * 90]
  return { tipo: 'parte', chave: indice === 0, indice, segmento, duracao, instante: 1, dados }
}

async function measure({ port, parts }: Cloud, ends: (() => unknown)[], print: TrialOutput['print']): Promise<Result> {
  print(`an alert alone: ${Math.round(await alertMs(port))} ms`)
  let isFree = true
  const budget = createUplinkBudget({ uplinkMbits: null, isLineFree: () => isFree })
  const uploads = Array.from({ length: TILES }, (_, index): StreamUpload => {
    const seat = budget.join('mosaico', () => upload.end())
    const cloudUrl = `http://127.0.0.1:${port}`
    const upload = createStreamUpload({ cloudUrl, path: '/x', token: 'x', seat, onRefused: () => {} })
    let produced = index % PARTS
    const timer = setInterval(() => upload.add(part(produced++)), PART_MS)
    ends.push(() => {
      clearInterval(timer)
      upload.end()
    })
    return upload
  })
  const alerts: number[] = []
  while (alerts.length < ALERTS) {
    const before = parts()
    await waitFor('further parts', () => parts() >= before + TILES, { timeoutMs: 20_000, everyMs: 20 })
    isFree = false
    alerts.push(await alertMs(port))
    isFree = true
  }
  print(`limit of the uplink: ${budget.limit === null ? 'none' : `${Math.round(budget.limit * 8)} kbit/s`}`)
  return resultOf([
    below('slowest alert beside 16 tiles', Math.max(...alerts), PROMISE_MS, 'ms'),
    above(
      'dropped parts',
      uploads.reduce((sum, { dropped }) => sum + dropped, 0),
      0,
    ),
  ])
}
