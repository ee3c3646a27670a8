import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Candidato, Lacuna } from '@vigia/contracts/candidate'
import { VigiaError } from '@vigia/contracts/errors'
import { describe, expect, it } from 'vitest'
import { decodeEnvelope, encodeEnvelope } from './envelope.ts'
import { MAX_RECORD_BYTES } from './limits.ts'

const declare = (bytes: Buffer): Candidato['midias'][number] => ({
  papel: 'crop',
  tipo: 'image/jpeg',
  tamanho: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

const candidate = (midias: readonly Buffer[]): Candidato => ({
  tipo: 'candidato',
  v: 1,
  id: randomUUID(),
  camera_id: 3,
  seq: 12,
  ia: 'invasao',
  ocorrido_em: 1_790_000_000_000,
  relogio: { desvio_ms: -12.5, sincronizado: true },
  confianca: 0.87,
  rotulos: ['person'],
  caixas: [{ rotulo: 'person', confianca: 0.87, x: 0.1, y: 0.2, w: 0.3, h: 0.4 }],
  zona: null,
  quadro: { largura: 640, altura: 360 },
  calibracao: { conf: 0.5, min_quadros: 3 },
  modelo: 'nanodet-g-416',
  midias: midias.map(declare),
  midia_descartada: false,
})

const gap: Lacuna = {
  tipo: 'lacuna',
  v: 1,
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  camera_id: 3,
  de_seq: 4,
  ate_seq: 9,
  ocorrido_de: 1,
  ocorrido_ate: 2,
  motivo: 'cota_de_disco',
}

/** An envelope around any header, valid or not. */
function raw(header: unknown, ...rest: Buffer[]): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, ...rest])
}

describe('envelope', () => {
  it('carries records with any number and size of media unchanged', () => {
    for (let round = 0; round < 60; round += 1) {
      const midias = Array.from({ length: randomInt(0, 5) }, () => randomBytes(randomInt(1, 50_000)))
      const registro = candidate(midias)
      const decoded = decodeEnvelope(encodeEnvelope({ registro, midias }))
      expect(decoded).toEqual({ ok: true, registro, midias })
    }
  })

  it('carries a gap record', () => {
    expect(decodeEnvelope(encodeEnvelope({ registro: gap, midias: [] }))).toEqual({
      ok: true,
      registro: gap,
      midias: [],
    })
  })

  it('refuses every truncation, and knows the id once the header is whole', () => {
    const midias = [randomBytes(40), randomBytes(7)]
    const registro = candidate(midias)
    const envelope = encodeEnvelope({ registro, midias })
    const headerEnd = 4 + envelope.readUInt32BE(0)
    for (let length = 0; length < envelope.length; length += 1) {
      const decoded = decodeEnvelope(envelope.subarray(0, length))
      expect(decoded).toMatchObject({ ok: false, id: length < headerEnd ? null : registro.id })
    }
  })

  it('refuses a flipped bit anywhere in the media', () => {
    const midias = [randomBytes(16), randomBytes(16)]
    const registro = candidate(midias)
    const envelope = encodeEnvelope({ registro, midias })
    for (let at = envelope.length - 32; at < envelope.length; at += 1) {
      const damaged = Buffer.from(envelope)
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << randomInt(8)), at)
      expect(decodeEnvelope(damaged)).toMatchObject({ ok: false, id: registro.id })
    }
  })

  it('refuses bytes after the last medium', () => {
    const midias = [randomBytes(10)]
    const registro = candidate(midias)
    const decoded = decodeEnvelope(Buffer.concat([encodeEnvelope({ registro, midias }), Buffer.from('x')]))
    expect(decoded).toEqual({ ok: false, motivo: 'bytes a mais no fim da mensagem', id: registro.id })
    expect(decodeEnvelope(raw(gap, Buffer.from('x')))).toMatchObject({ ok: false, id: gap.id })
  })

  it('refuses a header length beyond the message or beyond reason', () => {
    for (const announced of [1, 0x7fff_ffff, 0xffff_ffff]) {
      const envelope = Buffer.alloc(4)
      envelope.writeUInt32BE(announced)
      expect(decodeEnvelope(envelope)).toMatchObject({ ok: false, id: null })
    }
    const huge = raw(JSON.stringify({ ...gap, enchimento: 'x'.repeat(300_000) }))
    expect(decodeEnvelope(huge)).toEqual({ ok: false, motivo: 'cabeçalho grande demais', id: null })
  })

  it.each([
    ['no header', '', null],
    ['not JSON', '{"tipo":', null],
    ['null', 'null', null],
    ['an array', '[]', null],
    ['another kind', { ...gap, tipo: 'outro' }, gap.id],
    ['another version', { ...gap, v: 2 }, gap.id],
    ['a field missing', { ...gap, camera_id: undefined }, gap.id],
    ['an id that is none', { ...gap, id: 'x' }, null],
  ])('refuses a header that is %s', (_what, header, id) => {
    expect(decodeEnvelope(raw(header))).toMatchObject({ ok: false, id })
  })

  it('survives random bytes', () => {
    for (let round = 0; round < 500; round += 1) {
      expect(decodeEnvelope(randomBytes(randomInt(0, 64))).ok).toBe(false)
    }
  })

  it('does not encode media that the header does not declare', () => {
    const midias = [randomBytes(10)]
    expect(() => encodeEnvelope({ registro: candidate(midias), midias: [] })).toThrow(RangeError)
    expect(() => encodeEnvelope({ registro: candidate(midias), midias: [randomBytes(10)] })).toThrow(RangeError)
    expect(() => encodeEnvelope({ registro: candidate([]), midias })).toThrow(RangeError)
  })

  it('does not encode what no broker would take', () => {
    const midias = [Buffer.alloc(MAX_RECORD_BYTES)]
    expect(() => encodeEnvelope({ registro: candidate(midias), midias })).toThrow(VigiaError)
  })
})
