import { get, type IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Comando } from '@vigia/contracts/pedidos'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { type MjpegReader, openMjpeg, parts } from '../../../test/clients/mjpeg.ts'
import { type LiveStage, startLiveStage } from '../../../test/clouds/live-stage.ts'
import type { Account, TestApp } from '../../../test/clouds/test-app.ts'
import { JPEG } from '../../../test/records/records.ts'
import type { StandInEdge } from '../../../test/stand-ins/stand-in-edge.ts'

let app: TestApp
let own: Account
let edge: StandInEdge
let foreign: StandInEdge
let cameras: LiveStage['cameras']
let foreignCamera: number
const open: MjpegReader[] = []
let sending: NodeJS.Timeout | undefined

let stage: LiveStage
beforeAll(async () => {
  stage = await startLiveStage()
  ;({ app, own, edge, foreign, cameras, foreignCamera } = stage)
})
afterAll(() => stage?.stop())

/** A JPEG with a number and `bytes` of padding in a comment segment (ITU-T T.81, B.2.4.5). It declares 640 × 360. */
function numbered(number: number, bytes = 0): Buffer {
  const text = Buffer.alloc(Math.min(60_000, 12 + bytes), ' ')
  text.write(String(number).padStart(12, '0'), 'latin1')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length + 2)
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe]), length, text])
  const jpeg = Buffer.concat([JPEG.subarray(0, 2), comment, JPEG.subarray(2)])
  const size = jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5
  jpeg.writeUInt16BE(360, size)
  jpeg.writeUInt16BE(640, size + 2)
  return jpeg
}
const numberOf = (jpeg: Buffer): number => Number(jpeg.toString('latin1', 6, 18))

/** Sends frames of the last requested camera until the lease ends, as a real edge does. */
function sendFrames(of: StandInEdge, bytes = 0) {
  let number = 0
  of.answer = async (comando) => {
    if (comando.acao === 'iniciar_ao_vivo') {
      clearInterval(sending)
      sending = setInterval(() => frame(of, comando.camera_id, ++number, bytes), 1000 / comando.quadros_por_s)
    }
    if (comando.acao === 'parar_ao_vivo') clearInterval(sending)
    return { ok: true, resultado: {} }
  }
}
const frame = (of: StandInEdge, camera_id: number, number: number, bytes = 0) =>
  of.link.publishLiveFrame({ v: 1, camera_id, largura: 16, altura: 12 }, numbered(number, bytes))

const online = () => edge.report(cameras.slice(0, 2))
async function watch(camera: number, query = '', by: Client = own.usuario) {
  const reader = await openMjpeg(`${app.url}/api/v1/cameras/${camera}/aovivo${query}`, {
    authorization: `Bearer ${by.token}`,
  })
  open.push(reader)
  return reader
}
const refusal = async ({ response }: MjpegReader) => [response.status, await response.json()]
const starts = (camera: number, from = 0) =>
  edge.commands.slice(from).flatMap((one) => (one.acao === 'iniciar_ao_vivo' && one.camera_id === camera ? [one] : []))
const stops = (camera: number, from = 0) =>
  edge.commands.slice(from).filter((one) => one.acao === 'parar_ao_vivo' && one.camera_id === camera).length

/** `validade_ms` of the commands. */
const LEASE_MS = 30_000
/** Index of the first command of the current test. */
let obeyed = 0
beforeEach(() => {
  obeyed = edge.commands.length
})
afterEach(async () => {
  clearInterval(sending)
  edge.answer = async () => ({ ok: true, resultado: {} })
  const begun = new Set(
    edge.commands.slice(obeyed).flatMap((one) => (one.acao === 'iniciar_ao_vivo' ? [one.camera_id] : [])),
  )
  for (const reader of open.splice(0)) reader.close()
  // The next test starts without viewers. A command that is late on a busy machine is given up: then the lease ends.
  const leasesEndAt = performance.now() + LEASE_MS
  await waitFor(
    'the edge to be told, or its leases to end',
    () => performance.now() > leasesEndAt || [...begun].every((id) => lastOf(id)?.acao === 'parar_ao_vivo'),
  )
})
const lastOf = (camera: number): Comando | undefined =>
  edge.commands.findLast((one) => one.acao.endsWith('ao_vivo') && 'camera_id' in one && one.camera_id === camera)

describe('live video of a camera', () => {
  it('sends its frames as a multipart body that a browser shows in an <img>', async () => {
    await online()
    sendFrames(edge)
    const cookie = `session=${own.usuario.token}`
    const reader = await openMjpeg(`${app.url}/api/v1/cameras/${cameras[0]}/aovivo`, {
      cookie,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-dest': 'image',
      accept: 'image/*',
    })
    open.push(reader)
    expect(reader.response.status).toBe(200)
    expect(reader.response.headers.get('cache-control')).toBe('no-store')
    const numbers = (await reader.until(4)).map(numberOf)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(starts(cameras[0])).toEqual([
      { acao: 'iniciar_ao_vivo', camera_id: cameras[0], quadros_por_s: 2, lado_maximo: 640, validade_ms: 30_000 },
    ])
    expect(app.logText()).not.toContain(own.usuario.token)
  })

  it('sends the edge one command for all viewers, with their largest request, until the last leaves', async () => {
    await online()
    sendFrames(edge)
    const from = edge.commands.length
    const [first, second] = [await watch(cameras[0], '?lado=320&fps=4'), await watch(cameras[0], '?lado=320&fps=0.5')]
    await Promise.all([first.until(1), second.until(1)])
    const third = await watch(cameras[0], '?lado=1280&fps=1', own.admin)
    await third.until(1)
    await waitFor('the larger request', () => starts(cameras[0], from).length === 2)
    expect(starts(cameras[0], from).map((one) => [one.lado_maximo, one.quadros_por_s])).toEqual([
      [320, 4],
      [1280, 4],
    ])
    await first.until(12)
    // Each viewer gets its requested frame rate.
    expect(second.pictures.length).toBeLessThanOrEqual(4)
    expect(third.pictures.length).toBeLessThanOrEqual(6)
    for (const reader of [first, second]) reader.close()
    const seen = third.pictures.length
    await third.until(seen + 2)
    expect(stops(cameras[0], from)).toBe(0)
    third.close()
    await waitFor('the end', () => stops(cameras[0], from) === 1)
  })

  it('restarts the edge for a viewer that arrives during the stop command', async () => {
    await online()
    sendFrames(edge)
    const reader = await watch(cameras[0])
    await reader.until(1)
    const from = edge.commands.length
    const ending = Promise.withResolvers<void>()
    const { answer } = edge
    edge.answer = async (comando) => {
      if (comando.acao === 'parar_ao_vivo') await ending.promise
      return answer(comando)
    }
    reader.close()
    await waitFor('that it is told', () => stops(cameras[0], from) === 1)
    const late = await watch(cameras[0])
    expect(late.response.status).toBe(200)
    ending.resolve()
    await waitFor('that it begins again', () => lastOf(cameras[0])?.acao === 'iniciar_ao_vivo')
    expect(edge.commands.slice(from).map(({ acao }) => acao)).toEqual(['parar_ao_vivo', 'iniciar_ao_vivo'])
    const seen = late.pictures.length
    await late.until(seen + 2)
  })

  it('drops frames of a viewer that does not read, without effect on others', { timeout: 300_000 }, async () => {
    await online()
    sendFrames(edge, 60_000)
    const headers = { authorization: `Bearer ${own.usuario.token}` }
    const { promise: answered, resolve } = Promise.withResolvers<IncomingMessage>()
    get(`${app.url}/api/v1/cameras/${cameras[0]}/aovivo?fps=5`, { headers }, resolve)
    // The test does not read from this response.
    const slow = await answered
    const quick = await watch(cameras[0], '?fps=5')
    await quick.until(2)
    clearInterval(sending)
    // Sends many times the size of the socket buffers at full speed.
    const last = 1_400
    for (let number = 1_000; number < last; await setImmediate()) if (frame(edge, cameras[0], number, 60_000)) number++
    const again = () => frame(edge, cameras[0], last, 60_000)
    const hasLast = (pictures: readonly Buffer[]) => () => {
      again()
      return numberOf(pictures.at(-1) ?? numbered(0)) === last
    }
    // 24 MB pass through three processes: seconds on an idle machine, a minute at ten times the load.
    const anyLoad = { timeoutMs: 120_000 }
    await waitFor('the quick viewer to have the last one', hasLast(quick.pictures), anyLoad)
    const pictures: Buffer[] = []
    const late = parts(slow, pictures)
    await waitFor('the slow viewer to see what is now', hasLast(pictures), anyLoad)
    expect(pictures.length).toBeLessThan(150)
    slow.destroy()
    await late.catch(() => {})
  })

  it('ends with the session and with the camera', async () => {
    await online()
    sendFrames(edge)
    const login = await app.signIn(`usuario-${own.empresaId}`)
    const [left, stays] = [await watch(cameras[0], '', login), await watch(cameras[0])]
    await Promise.all([left.until(1), stays.until(1)])
    await login.send('GET', '/api/v1/auth/logout')
    await left.ended
    const seen = stays.pictures.length
    await stays.until(seen + 2)
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${cameras[0]}`, { ativa: false })
    await stays.ended
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${cameras[0]}`, { ativa: true })
  })

  it('needs no answer to the command once frames arrive', async () => {
    await online()
    let number = 0
    edge.answer = async ({ acao }) => {
      if (acao === 'iniciar_ao_vivo') sending = setInterval(() => frame(edge, cameras[0], ++number), 200)
      return acao === 'iniciar_ao_vivo' ? new Promise(() => {}) : { ok: true, resultado: {} }
    }
    const reader = await watch(cameras[0])
    expect(reader.response.status).toBe(200)
    await reader.until(3)
  })

  it('names what the last inference saw, and nothing of an older edge', async () => {
    await online()
    const reading = watch(cameras[0])
    await waitFor('the edge to be asked', () => lastOf(cameras[0])?.acao === 'iniciar_ao_vivo')
    const caixas = [{ rotulo: 'pé\r\nX-Evil: "1"', confianca: 0.87654, x: 0, y: 0.25, w: 0.5, h: 1 }]
    const quadro = { v: 1, camera_id: cameras[0], largura: 16, altura: 12 } as const
    await waitFor('a frame with boxes', () => edge.link.publishLiveFrame({ ...quadro, caixas }, numbered(1)))
    const reader = await reading
    await reader.until(1)
    await waitFor('an empty list', () => edge.link.publishLiveFrame({ ...quadro, caixas: [] }, numbered(2)))
    await reader.until(2)
    await waitFor('a frame of an older edge', () => frame(edge, cameras[0], 3))
    await reader.until(3)
    expect(reader.boxes).toEqual(['[["pX-Evil: \\"1\\"",0.877,0,0.25,0.5,1]]', '[]', undefined])
  })

  it('shows only pictures, and only those of its own edge', async () => {
    await online()
    const reading = watch(cameras[0])
    await waitFor('the edge to be asked', () => lastOf(cameras[0])?.acao === 'iniciar_ao_vivo')
    await waitFor(
      'three frames of another edge',
      counted(3, () => frame(foreign, cameras[0], 666)),
    )
    const notOne = { v: 1, camera_id: cameras[0], largura: 1, altura: 1 } as const
    const script = Buffer.from('<script>alert(1)</script>')
    await waitFor('one that is no picture', () => edge.link.publishLiveFrame(notOne, script))
    await waitFor('one that is', () => frame(edge, cameras[0], 7))
    const reader = await reading
    expect((await reader.until(1)).map(numberOf)).toEqual([7])
  })
})

/** Resolves with true after `count` successes of `attempt`. */
function counted(count: number, attempt: () => boolean) {
  let done = 0
  return () => {
    if (attempt()) done++
    return done >= count
  }
}

describe('refuses a view', () => {
  it('of a camera that is missing, out of scope or offline', async () => {
    await online()
    await foreign.report([foreignCamera])
    const missing = await refusal(await watch(999_999))
    expect(missing).toEqual([404, { detail: 'Câmera não encontrada.' }])
    expect(await refusal(await watch(foreignCamera))).toEqual(missing)
    expect(await refusal(await watch(cameras[2]))).toEqual([
      404,
      { detail: expect.stringContaining('não está online') },
    ])
    const nobody = await openMjpeg(`${app.url}/api/v1/cameras/${cameras[0]}/aovivo`)
    expect(nobody.response.status).toBe(401)
  })

  it.each(['lado=159', 'lado=1281', 'lado=x', 'fps=0.1', 'fps=5.1', 'fps=1e1', 'fps='])('for ?%s', async (query) => {
    const { response } = await watch(cameras[0], `?${query}`)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: [{ loc: ['query', query.split('=')[0]] }] })
  })

  it('without frames from the edge, with its reason', async () => {
    await online()
    edge.answer = async () => ({ ok: false, falha: 'ocupado' })
    expect(await refusal(await watch(cameras[0]))).toEqual([
      503,
      { detail: expect.stringContaining('máximo de câmeras') },
    ])
    obeyed = edge.commands.length
  })

  it('of a camera without frames for ten seconds, while another camera is still shown', {
    timeout: 30_000,
  }, async () => {
    await online()
    sendFrames(edge)
    const from = edge.commands.length
    const reader = await watch(cameras[0])
    await reader.until(1)
    edge.answer = async () => ({ ok: true, resultado: {} })
    expect(await refusal(await watch(cameras[1]))).toEqual([
      503,
      { detail: expect.stringContaining('não conseguiu uma imagem') },
    ])
    await waitFor('that the edge is asked again', () => starts(cameras[0], from).length === 2)
    const seen = reader.pictures.length
    await reader.until(seen + 1)
  })

  it('above 32 views of one login', async () => {
    await online()
    sendFrames(edge)
    const views = await Promise.all(Array.from({ length: 32 }, () => watch(cameras[0])))
    expect(views.map(({ response }) => response.status)).toEqual(Array(32).fill(200))
    const { response } = await watch(cameras[0])
    expect(response.status).toBe(429)
    views[0]?.close()
    await waitFor('a free slot', async () => (await watch(cameras[0])).response.status === 200)
  })
})
