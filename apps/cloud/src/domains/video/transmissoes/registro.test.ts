import {
  CABECALHO_REGISTRO,
  type DescricaoTransmissao,
  decodeRegistro,
  encodeRegistro,
  MAX_REGISTRO_BYTES,
  MIN_PARTE_BYTES,
  type RegistroTransmissao,
} from '@vigia/contracts/transmissao'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const box = (type: string, bytes: Uint8Array = new Uint8Array()): Uint8Array =>
  Uint8Array.from([0, 0, 0, 8, ...new TextEncoder().encode(type), ...bytes])

const descricao = fc.record<DescricaoTransmissao>({
  codecs: fc.stringMatching(/^[A-Za-z0-9.]{1,64}$/),
  largura: fc.integer({ min: 1, max: 16_384 }),
  altura: fc.integer({ min: 1, max: 16_384 }),
  fps: fc.option(fc.constantFrom(0.1, 12.5, 240)),
  gop_ms: fc.option(fc.integer({ min: 1, max: 60_000 })),
})
const bytes = fc.uint8Array({ maxLength: 64 })
const registro: fc.Arbitrary<RegistroTransmissao> = fc.oneof(
  fc.record({ tipo: fc.constant('inicio' as const), descricao, dados: bytes.map((rest) => box('ftyp', rest)) }),
  fc.record({
    tipo: fc.constant('parte' as const),
    chave: fc.constant(true),
    indice: fc.integer({ min: 0, max: 0xffff }),
    segmento: fc.integer({ min: 0, max: 0xffff_ffff }),
    duracao: fc.integer({ min: 1, max: 5_400_000 }),
    instante: fc.maxSafeNat(),
    dados: fc.uint8Array({ minLength: MIN_PARTE_BYTES - 8, maxLength: 128 }).map((rest) => box('moof', rest)),
  }),
  fc.constantFrom({ tipo: 'lacuna' as const }, { tipo: 'fim' as const }),
)
const parte = { tipo: 'parte', chave: true, indice: 0, segmento: 1, duracao: 1, instante: 1 } as const

describe('a record', () => {
  it('is read as it was written', () => {
    fc.assert(fc.property(registro, (one) => void expect(decodeRegistro(encodeRegistro(one))).toEqual(one)))
  })

  it('with any changed, missing or added byte is refused or read as a record', () => {
    const damaged = fc.tuple(registro, fc.nat(200), fc.nat(255), fc.integer({ min: -3, max: 3 }))
    fc.assert(
      fc.property(damaged, ([one, at, value, longer]) => {
        const written = encodeRegistro(one)
        const message = new Uint8Array(Math.max(0, written.length + longer))
        message.set(written.subarray(0, message.length))
        const index = at % (message.length || 1)
        message[index] = value
        const read = decodeRegistro(message)
        if (read) expect(encodeRegistro(read).length).toBeLessThanOrEqual(MAX_REGISTRO_BYTES)
        if (longer !== 0 && index > 3) expect(read).toBeNull()
      }),
    )
  })

  it('of random bytes is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (message) => void expect(decodeRegistro(message)).toBeNull()),
    )
  })

  it('beyond its limits is refused', () => {
    const large = (length: number) => encodeRegistro({ ...parte, dados: box('moof', new Uint8Array(length)) })
    const fits = MAX_REGISTRO_BYTES - CABECALHO_REGISTRO - 8
    expect(decodeRegistro(large(fits))).not.toBeNull()
    expect(decodeRegistro(large(fits + 1))).toBeNull()
    const dados = box('moof', new Uint8Array(MIN_PARTE_BYTES - 8))
    expect(decodeRegistro(encodeRegistro({ ...parte, dados }))).not.toBeNull()
    expect(decodeRegistro(encodeRegistro({ ...parte, dados: dados.subarray(0, -1) }))).toBeNull()
    expect(decodeRegistro(encodeRegistro({ ...parte, dados, duracao: 5_400_001 }))).toBeNull()
    expect(decodeRegistro(encodeRegistro({ ...parte, dados, duracao: 0 }))).toBeNull()
    expect(decodeRegistro(encodeRegistro({ ...parte, dados, chave: false }))).toBeNull()
    expect(decodeRegistro(encodeRegistro({ ...parte, dados: box('html', new Uint8Array(MIN_PARTE_BYTES)) }))).toBeNull()
  })
})
