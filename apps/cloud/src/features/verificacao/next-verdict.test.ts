import { describe, expect, it } from 'vitest'
import { nextVerdict } from './next-verdict.ts'

const verdict = (decisao: 'confirmado' | 'refutado', certeza: 'alta' | 'baixa') => ({
  ...{ decisao, certeza, confianca: 0.9, motivo: '', fonte: 'teste' },
})
const sure = verdict('confirmado', 'alta')
const doubtful = verdict('confirmado', 'baixa')
const refuted = verdict('refutado', 'alta')
const old = { decisao: 'confirmado', certeza: null } as const

const at = (dt_ms: number, redetectada = false) => [{ dt_ms, redetectada }]

describe('nextVerdict', () => {
  it.each([
    ['a doubtful verdict', 'a sure one', doubtful, sure, at(9_000), sure],
    ['a doubtful verdict', 'a doubtful one', doubtful, doubtful, at(0), null],
    ['a doubtful verdict', 'a refutation 500 ms later', doubtful, refuted, at(500), refuted],
    ['a doubtful verdict', 'a refutation 500 ms before', doubtful, refuted, at(-500), refuted],
    ['a doubtful verdict', 'a refutation 501 ms later', doubtful, refuted, at(501), null],
    ['a doubtful verdict', 'a refutation later, of the detected track', doubtful, refuted, at(9_000, true), refuted],
    ['a doubtful verdict', 'a refutation by one valid of two', doubtful, refuted, [...at(0), ...at(900)], null],
    ['a doubtful verdict', 'a refutation without a picture', doubtful, refuted, [], null],
    ['a sure verdict', 'a refutation', sure, refuted, at(0, true), null],
    ['a sure verdict', 'a doubtful one', sure, doubtful, at(0), null],
    ['a refutation', 'a sure verdict', refuted, sure, at(0), null],
    ['an older verdict', 'a refutation', old, refuted, at(0, true), null],
    ['an older verdict', 'a sure verdict', old, sure, at(0), null],
  ])('of %s and %s', (_current, _later, current, veredito, imagens, expected) => {
    expect(nextVerdict(current, { veredito, imagens })).toBe(expected)
  })
})
