import { randomBytes, randomUUID } from 'node:crypto'
import type { Resposta } from '@vigia/contracts/pedidos'
import { describe, expect, it } from 'vitest'
import { decodeAnswer, encodeAnswer } from './answer.ts'
import { MAX_HEADER_BYTES } from './framed.ts'
import { MAX_RECORD_BYTES } from './limits.ts'

const id = randomUUID()
const done = (resultado: unknown = { largura: 640, altura: 360 }): Resposta => ({ v: 1, id, ok: true, resultado })
const none = Buffer.alloc(0)
const framed = (header: string, body: Buffer = none) => {
  const text = Buffer.from(header)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, body])
}

describe('an answer', () => {
  it.each([none, Buffer.from([0xff, 0xd8]), randomBytes(900_000)])(
    'is decoded unchanged, with its picture',
    (corpo) => {
      const encoded = encodeAnswer({ resposta: done(), corpo }) ?? none
      expect(decodeAnswer(encoded)).toEqual({ ok: true, resposta: done(), corpo })
    },
  )

  it('carries the reason of a failed command', () => {
    const resposta: Resposta = { v: 1, id, ok: false, falha: 'senha_recusada' }
    expect(decodeAnswer(encodeAnswer({ resposta, corpo: none }) ?? none)).toMatchObject({ ok: true, resposta })
  })

  it('is null above the size limit of the broker', () => {
    const header = framed(JSON.stringify(done())).length
    expect(encodeAnswer({ resposta: done(), corpo: Buffer.alloc(MAX_RECORD_BYTES - header) })).not.toBeNull()
    expect(encodeAnswer({ resposta: done(), corpo: Buffer.alloc(MAX_RECORD_BYTES - header + 1) })).toBeNull()
    expect(encodeAnswer({ resposta: done('x'.repeat(MAX_HEADER_BYTES)), corpo: none })).toBeNull()
  })

  it('that is damaged is rejected, with its id if readable, and never throws', () => {
    const later = JSON.stringify({ ...done(), v: 2 })
    expect(decodeAnswer(framed(later))).toMatchObject({ ok: false, id })
    expect(decodeAnswer(framed(JSON.stringify({ v: 1, id, ok: false, falha: 'outra' })))).toMatchObject({
      ok: false,
      id,
    })
    const rubbish = [
      none,
      Buffer.alloc(3),
      Buffer.alloc(4),
      Buffer.from([0xff, 0xff, 0xff, 0xff, 1]),
      ...['', '{', 'null', '[]', '3', '{}', '{"id":"x"}'].map((text) => framed(text)),
      framed(JSON.stringify(done())).subarray(0, 20),
      Buffer.alloc(MAX_RECORD_BYTES + 1),
      ...Array.from({ length: 200 }, (_, size) => randomBytes(size)),
    ]
    for (const payload of rubbish) expect(decodeAnswer(payload)).toMatchObject({ ok: false, id: null })
  })
})
