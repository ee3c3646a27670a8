import { causaText } from '@vigia/contracts/causa-text'
import { failureText, portText } from '@vigia/contracts/pedido-failures'
import { expect, it } from 'vitest'
import type { EdgeFailure } from './ask-edge.ts'
import { probeError } from './probing.ts'

const causa = { motivo: 'conexao_recusada', complemento: null } as const

it.each([
  ['a device that is silent', { causa }, causaText(causa)],
  ['a device that is silent, from an edge of an earlier release', {}, failureText.inalcancavel],
  // The device itself answered by ONVIF.
  ['a reported port that is silent', { causa, porta: 554 }, portText(554)],
] satisfies [string, Partial<EdgeFailure>, string | null][])('says of %s', (_name, seen, detalhe) => {
  expect(probeError({ falha: 'inalcancavel', ...seen })).toMatchObject({ code: 'indisponivel', detalhe })
})
