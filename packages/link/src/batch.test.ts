import { createHash, randomUUID } from 'node:crypto'
import type { Candidato, Lacuna } from '@vigia/contracts/candidate'
import { describe, expect, it } from 'vitest'
import { type Batch, type BatchItem, decodeBatch, encodeBatch, MAX_BATCH_ITEMS, mediaFault } from './batch.ts'
import { MAX_HEADER_BYTES } from './framed.ts'
import { MAX_RECORD_BYTES } from './limits.ts'

const serie = '01890a5d-ac96-774b-bcce-b302099a8057'
const empty = Buffer.alloc(0)

/** Repeatable numbers in [0, 1) (linear congruential generator modulo 2^32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const below = (random: () => number, limit: number) => Math.floor(random() * limit)
const bytesOf = (random: () => number, size: number) =>
  Buffer.from(Array.from({ length: size }, () => below(random, 256)))

const declare = (bytes: Buffer): Candidato['midias'][number] => ({
  papel: 'crop',
  tipo: 'image/jpeg',
  tamanho: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

const candidate = (midias: readonly Buffer[], seq = 12): Candidato => ({
  tipo: 'candidato',
  v: 1,
  id: randomUUID(),
  camera_id: 3,
  seq,
  ia: 'invasao',
  ocorrido_em: 1_790_000_000_000,
  relogio: { desvio_ms: -12.5, sincronizado: true },
  confianca: 0.87,
  rotulos: ['pessoa — à noite'],
  caixas: [{ rotulo: 'person', confianca: 0.87, x: 0.1, y: 0.2, w: 0.3, h: 0.4 }],
  zona: null,
  quadro: { largura: 640, altura: 360 },
  calibracao: { conf: 0.5, min_quadros: 3 },
  modelo: 'nanodet-g-416',
  detalhes: {},
  midias: midias.map(declare),
  midia_descartada: false,
})
const gap = (): Lacuna => ({
  tipo: 'lacuna',
  v: 1,
  id: randomUUID(),
  camera_id: 3,
  de_seq: 4,
  ate_seq: 9,
  ocorrido_de: 1,
  ocorrido_ate: 2,
  motivo: 'cota_de_disco',
})
const item = (registro: BatchItem['registro'], midias: readonly Buffer[] = [], base = 1, desde = 2): BatchItem => ({
  registro,
  midias,
  base,
  desde,
})
const withMedia = (...midias: Buffer[]) => item(candidate(midias), midias)

const encoded = (batch: Batch): Buffer => encodeBatch(batch) ?? expect.fail('too large')
/** The expected result of decoding. */
const whole = ({ itens }: Batch) => ({ ok: true, serie, itens: itens.map((one) => ({ ok: true, ...one })) })

/** Builds a message from any header and body, valid or not. */
function raw(header: unknown, body: Buffer = empty): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, body])
}
const header = (...itens: object[]) => ({ v: 2, serie, itens })
const entry = (registro: unknown, bytes = 0) => ({ registro, base: 1, desde: 1, bytes })

describe('a batch', () => {
  it('keeps records with any number and size of media, and their positions', () => {
    const random = seeded(4)
    for (let round = 0; round < 40; round += 1) {
      const itens = Array.from({ length: 1 + below(random, 12) }, () => {
        const midias = Array.from({ length: below(random, 5) }, () => bytesOf(random, 1 + below(random, 3_000)))
        const [base, desde] = [1 + below(random, 9_000), 1 + below(random, 9_000)]
        return random() < 0.2 ? item(gap(), [], base, desde) : item(candidate(midias), midias, base, desde)
      })
      expect(decodeBatch(encoded({ serie, itens }))).toEqual(whole({ serie, itens }))
    }
  })

  it('is rejected at every truncation and with one extra byte', () => {
    const bytes = encoded({ serie, itens: [withMedia(Buffer.from('abcdef'), Buffer.from('gh')), item(gap())] })
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeBatch(bytes.subarray(0, length)), `${length}`).toMatchObject({ ok: false })
    }
    expect(decodeBatch(Buffer.concat([bytes, Buffer.from('x')]))).toEqual({
      ok: false,
      motivo: 'tamanho das imagens diferente do declarado',
    })
  })

  it('with a flipped bit in a medium rejects only that record, by its id', () => {
    const random = seeded(5)
    const itens = [withMedia(bytesOf(random, 20)), withMedia(bytesOf(random, 10), bytesOf(random, 10)), item(gap())]
    const batch = { serie, itens }
    const bytes = encoded(batch)
    for (let at = 0; at < 40; at += 1) {
      const damaged = Buffer.from(bytes)
      const offset = bytes.length - 40 + at
      damaged.writeUInt8(damaged.readUInt8(offset) ^ (1 << below(random, 8)), offset)
      const hit = at < 20 ? 0 : 1
      const expected = whole(batch).itens.map((one, index) =>
        index === hit ? { ok: false, motivo: 'imagem danificada (sha256 diferente)', id: one.registro.id } : one,
      )
      expect(decodeBatch(damaged)).toEqual({ ok: true, serie, itens: expected })
    }
  })

  it('with a flipped bit never throws and never assigns a medium to another record', () => {
    const random = seeded(6)
    const itens = [withMedia(bytesOf(random, 30)), withMedia(bytesOf(random, 30)), withMedia(bytesOf(random, 7))]
    const digests = new Set(itens.flatMap(({ midias }) => midias.map((bytes) => declare(bytes).sha256)))
    const bytes = encoded({ serie, itens })
    for (let at = 0; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes)
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << below(random, 8)), at)
      const decoded = decodeBatch(damaged)
      const taken = decoded.ok ? decoded.itens.filter((one) => one.ok) : []
      for (const { registro, midias } of taken) {
        expect(mediaFault(registro, midias), `byte ${at}`).toBeNull()
        for (const medium of midias) expect(digests, `byte ${at}`).toContain(declare(medium).sha256)
      }
    }
  })

  it.each([
    ['another kind', (good: object) => ({ ...good, tipo: 'outro' }), true],
    ['another version', (good: object) => ({ ...good, v: 2 }), true],
    ['a field missing', (good: object) => ({ ...good, camera_id: undefined }), true],
    ['an invalid id', (good: object) => ({ ...good, id: 'x' }), false],
    ['null in its place', () => null, false],
  ])('with one record that is %s loses only that record', (_what, spoil, isNamed) => {
    const [first, last] = [candidate([Buffer.from('one')]), candidate([Buffer.from('three')])]
    const bad = gap()
    const bytes = raw(header(entry(first, 3), entry(spoil(bad), 2), entry(last, 5)), Buffer.from('one??three'))
    expect(decodeBatch(bytes)).toMatchObject({
      ok: true,
      itens: [
        { ok: true, registro: first, midias: [Buffer.from('one')] },
        { ok: false, motivo: 'registro fora do formato', id: isNamed ? bad.id : null },
        { ok: true, registro: last, midias: [Buffer.from('three')] },
      ],
    })
  })

  it('rejects only the record whose media differ in size from its declaration', () => {
    const lying = candidate([Buffer.from('four')])
    const honest = candidate([Buffer.from('ok')])
    for (const [body, bytes] of [
      ['fou', 3],
      ['fourx', 5],
      ['', 0],
    ] as const) {
      const decoded = decodeBatch(raw(header(entry(lying, bytes), entry(honest, 2)), Buffer.from(`${body}ok`)))
      expect(decoded).toMatchObject({
        itens: [
          { ok: false, motivo: 'imagens diferentes das declaradas', id: lying.id },
          { ok: true, registro: honest },
        ],
      })
    }
    const swollen = decodeBatch(raw(header(entry(gap(), 2)), Buffer.from('xx')))
    expect(swollen).toMatchObject({ itens: [{ ok: false }] })
  })

  it.each([
    ['no header', ''],
    ['not JSON', '{"v":2'],
    ['null', 'null'],
    ['an array', '[]'],
    ['the previous version', { ...header(entry(gap())), v: 1 }],
    ['without an outbox name', { v: 2, itens: [entry(gap())] }],
    ['empty', header()],
    ['too long', header(...Array.from({ length: MAX_BATCH_ITEMS + 1 }, () => entry(gap())))],
    ['without a position', header({ registro: gap(), bytes: 0 })],
    ['with a position before the first number', header({ ...entry(gap()), base: 0 })],
    ['without a record', header({ base: 1, desde: 1, bytes: 0 })],
    ['with a negative size', header({ ...entry(gap()), bytes: -1 }, { ...entry(gap()), bytes: 1 })],
  ])('is refused as a whole when it is %s', (_what, text) => {
    expect(decodeBatch(raw(text))).toMatchObject({ ok: false })
  })

  it('is rejected when its header is longer than the message or than the limit', () => {
    for (const announced of [1, 0x7fff_ffff, 0xffff_ffff]) {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(announced)
      expect(decodeBatch(bytes)).toMatchObject({ ok: false })
    }
    const huge = raw({ ...header(entry(gap())), enchimento: 'x'.repeat(MAX_HEADER_BYTES) })
    expect(decodeBatch(huge)).toEqual({ ok: false, motivo: 'cabeçalho grande demais' })
    expect(decodeBatch(Buffer.alloc(MAX_RECORD_BYTES + 1))).toEqual({ ok: false, motivo: 'mensagem grande demais' })
  })

  it('never throws for random input', () => {
    const random = seeded(7)
    for (let round = 0; round < 500; round += 1) {
      expect(decodeBatch(bytesOf(random, below(random, 64))).ok).toBe(false)
      expect(decodeBatch(raw(bytesOf(random, below(random, 64)).toString('latin1'))).ok).toBe(false)
    }
  })

  it('may have exactly the maximum size of the link', () => {
    const full = (size: number) => encodeBatch({ serie, itens: [withMedia(Buffer.alloc(size))] })
    const overhead = encoded({ serie, itens: [withMedia(Buffer.alloc(5_000_000))] }).length - 5_000_000
    expect(full(MAX_RECORD_BYTES - overhead)).toHaveLength(MAX_RECORD_BYTES)
    expect(full(MAX_RECORD_BYTES - overhead + 1)).toBeNull()
    const itens = Array.from({ length: MAX_BATCH_ITEMS }, () => item(candidate([])))
    expect(decodeBatch(encoded({ serie, itens }))).toEqual(whole({ serie, itens }))
  })
})

describe('the fault of media', () => {
  const midias = [Buffer.from('one'), Buffer.from('two')]
  it('is null when they match the declaration of the record', () => {
    expect(mediaFault(candidate(midias), midias)).toBeNull()
    expect(mediaFault(gap(), [])).toBeNull()
  })

  it.each([
    ['fewer', [Buffer.from('one')], 'quantidade'],
    ['more', [...midias, Buffer.from('x')], 'quantidade'],
    ['longer', [Buffer.from('one'), Buffer.from('twoo')], 'tamanho'],
    ['other', [Buffer.from('one'), Buffer.from('twx')], 'sha256'],
    ['swapped', [Buffer.from('two'), Buffer.from('one')], 'sha256'],
  ])('is named when they are %s', (_what, given, motivo) => {
    expect(mediaFault(candidate(midias), given)).toContain(motivo)
  })
})
