import { randomUUID } from 'node:crypto'
import type { QuadroAoVivo } from '@vigia/contracts/pedidos'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it } from 'vitest'
import { createMiniaturas, type Miniaturas, type MiniaturasDeps } from './miniaturas.ts'

/** `picture` and `publish` replace the capture processes and the line to the cloud. */
let miniaturas: Miniaturas
afterEach(() => miniaturas.stop())

const JPEG = Buffer.of(0xff, 0xd8)

function begin(known: readonly number[], deps: Partial<MiniaturasDeps> = {}) {
  const sent: { readonly header: QuadroAoVivo; readonly at: number }[] = []
  const line = { isFree: true, refused: 0, waiting: 0 }
  const sides = new Map<number, number | null>()
  miniaturas = createMiniaturas({
    isKnown: (id) => known.includes(id),
    picture: async (id, { maxSide }) => {
      sides.set(id, maxSide)
      return { jpeg: JPEG, width: 320, height: 180, moving: id === 2 }
    },
    publish: (header) => {
      if (line.isFree) sent.push({ header, at: performance.now() })
      else line.refused += 1
      return line.isFree
    },
    waiting: () => line.waiting,
    ...deps,
  })
  return { sent, line, sides }
}

const ask = (
  ids: readonly number[],
  { lado_maximo = 320, validade_ms = 30_000, signal = new AbortController().signal } = {},
) =>
  miniaturas.handlers.enviar_miniaturas(
    {
      acao: 'enviar_miniaturas',
      cameras: ids.map((camera_id) => ({ camera_id, lado_maximo })),
      cada_ms: 1_000,
      validade_ms,
    },
    { id: randomUUID(), signal, prazoMs: 5_000 },
  )
const done = { ok: true, resultado: {} }
const camerasOf = (sent: readonly { readonly header: QuadroAoVivo }[]) =>
  [...new Set(sent.map(({ header }) => header.camera_id))].sort((a, b) => a - b)
const gapsOf = (sent: readonly { readonly header: QuadroAoVivo; readonly at: number }[], id: number) => {
  const times = sent.filter(({ header }) => header.camera_id === id).map(({ at }) => at)
  return times.slice(1).map((at, index) => at - (times[index] ?? 0))
}

describe('pictures of a mosaic', () => {
  it('come from each camera at most once a second, with the requested size', async () => {
    const { sent, sides } = begin([1, 2, 3])
    expect(await ask([1, 2, 3])).toEqual(done)
    await waitFor('two of each', () => [1, 2, 3].every((id) => gapsOf(sent, id).length >= 1), { everyMs: 20 })
    for (const id of [1, 2, 3]) for (const gap of gapsOf(sent, id)) expect(gap).toBeGreaterThan(950)
    expect(sent[0]?.header).toMatchObject({ v: 1, largura: 320, altura: 180, miniatura: true })
    expect([...sides.values()]).toEqual([320, 320, 320])
    for (const { header } of sent) expect(header.movimento).toBe(header.camera_id === 2)
    await ask([1, 2, 3], { lado_maximo: 640 })
    await waitFor('the larger size', () => [...sides.values()].every((side) => side === 640), { everyMs: 20 })
  })

  it('end for cameras that the next command leaves out, and for all of them without a renewal', async () => {
    const { sent } = begin([1, 2])
    await ask([1, 2])
    await waitFor('both', () => camerasOf(sent).length === 2, { everyMs: 20 })
    await ask([2], { validade_ms: 1_500 })
    const from = sent.length
    await waitFor('the other one', () => sent.length > from, { everyMs: 20 })
    expect(camerasOf(sent.slice(from))).toEqual([2])
    const last = () => sent.at(-1)?.at ?? 0
    await waitFor('the end of the lease', () => performance.now() - last() > 1_300, { everyMs: 20 })
    await ask([1])
    await ask([])
    const after = sent.length
    await waitFor('a second without a picture', () => performance.now() - last() > 2_600, { everyMs: 20 })
    expect(sent.length).toBe(after)
  })

  it('become rarer for all cameras while the line refuses them', async () => {
    const { line, sent } = begin([1, 2], { slowestMs: 3_000 })
    line.isFree = false
    await ask([1, 2])
    await waitFor('many refusals', () => line.refused > 60, { everyMs: 20 })
    line.isFree = true
    await waitFor('pictures', () => gapsOf(sent, 1).length >= 1, { everyMs: 20 })
    expect(gapsOf(sent, 1)[0]).toBeGreaterThan(1_050)
  })

  it('come once in `slowestMs` while events wait in the outbox', async () => {
    const { line, sent } = begin([1], { slowestMs: 2_500 })
    line.waiting = 10
    await ask([1])
    await waitFor('two pictures', () => gapsOf(sent, 1).length >= 1, { everyMs: 20 })
    expect(gapsOf(sent, 1)[0]).toBeGreaterThan(2_400)
    line.waiting = 9
    await waitFor('the usual rate', () => (gapsOf(sent, 1).at(-1) ?? 9_999) < 1_500, { everyMs: 20 })
  })

  it('start for no unknown camera and no aborted command', async () => {
    const { sent } = begin([1])
    expect(await ask([1], { signal: AbortSignal.abort() })).toEqual({ ok: false, falha: 'cancelado' })
    expect(await ask([7, 1])).toEqual(done)
    await waitFor('a picture', () => sent.length > 0, { everyMs: 20 })
    expect(camerasOf(sent)).toEqual([1])
  })
})
