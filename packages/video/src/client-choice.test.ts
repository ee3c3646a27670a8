import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { expect, it } from 'vitest'
import { type ClientChoice, createClientChoice } from './client-choice.ts'

const A = 'rtsp://camera/a'
const B = 'rtsp://camera/b'

function choose(options: Partial<Parameters<typeof createClientChoice>[0]> = {}) {
  const kept: string[] = []
  const choice = createClientChoice({
    first: 'own',
    kept: [],
    onKept: ({ url, client }, failure) => void kept.push(`${url} ${client} ${failure}`),
    ...options,
  })
  return { choice, kept }
}

const fails = (choice: ClientChoice, failure: CameraFailure, isRead = false, url = A, playedMs = 0) =>
  choice.ended(url, choice.of(url), { failure, detail: null }, isRead, playedMs)

it("keeps FFmpeg's client for an address whose keyframe arrives in its attempt", () => {
  const { choice, kept } = choose()
  expect(choice.of(A)).toBe('own')
  fails(choice, 'sem_resposta')
  expect([choice.of(A), choice.isTrying(A), choice.of(B)]).toEqual(['ffmpeg', true, 'own'])
  choice.keyframe(A, 'ffmpeg', 0)
  choice.keyframe(A, 'ffmpeg', 0)
  fails(choice, 'fluxo_encerrado')
  expect([choice.of(A), choice.isTrying(A)]).toEqual(['ffmpeg', false])
  expect(kept).toEqual([`${A} ffmpeg sem_resposta`])
})

it("tries FFmpeg's client once for each failure, and returns to the own client", () => {
  const { choice } = choose()
  fails(choice, 'dados_invalidos')
  fails(choice, 'erro_desconhecido')
  expect(choice.of(A)).toBe('own')
  fails(choice, 'dados_invalidos')
  expect(choice.of(A)).toBe('own')
  fails(choice, 'sem_video')
  expect(choice.of(A)).toBe('ffmpeg')
})

it('tries UDP only, when keyframes over TCP arrive damaged', () => {
  const { choice } = choose()
  fails(choice, 'video_danificado')
  expect([choice.of(A), choice.isTrying(A)]).toEqual(['own_udp', true])
  fails(choice, 'video_danificado')
  expect([choice.of(A), choice.isTrying(A)]).toEqual(['own', false])
  const fixed = choose({ first: 'own_tcp' }).choice
  fails(fixed, 'video_danificado')
  expect([fixed.of(A), fixed.isTrying(A)]).toEqual(['own_tcp', false])
})

it("tries UDP, then FFmpeg's client, when PLAY over TCP brings no packets", () => {
  const { choice, kept } = choose()
  fails(choice, 'sem_quadros')
  expect(choice.of(A)).toBe('own_udp')
  fails(choice, 'sem_quadros')
  expect([choice.of(A), choice.isTrying(A)]).toEqual(['ffmpeg', true])
  fails(choice, 'sem_quadros')
  expect([choice.of(A), choice.isTrying(A)]).toEqual(['own', false])
  fails(choice, 'sem_quadros', false, B)
  choice.keyframe(B, 'own_udp', 0)
  fails(choice, 'fluxo_encerrado', true, B)
  expect([choice.of(B), choice.isTrying(B)]).toEqual(['own_udp', false])
  expect(kept).toEqual([`${B} own_udp sem_quadros`])
})

it.each([
  ['own_tcp', 'ffmpeg'],
  ['own_udp', 'ffmpeg_udp'],
] as const)('never leaves a chosen transport: %s', (first, other) => {
  const { choice } = choose({ first })
  fails(choice, 'sem_quadros')
  expect(choice.of(A)).toBe(other)
  fails(choice, 'sem_quadros')
  expect(choice.of(A)).toBe(first)
})

it.each<CameraFailure>([
  'senha_recusada',
  'nao_encontrado',
  'conexao_recusada',
  'sem_rota',
  'nome_nao_resolvido',
  'equipamento_ocupado',
  'video_parado',
  'transporte_recusado',
])('does not try it after %s', (failure) => {
  const { choice } = choose()
  fails(choice, failure)
  expect(choice.of(A)).toBe('own')
})

it('does not try it for an address that the own client has read', () => {
  const { choice } = choose()
  fails(choice, 'fluxo_encerrado', true)
  fails(choice, 'sem_resposta')
  expect(choice.of(A)).toBe('own')
})

it('still owes the attempt after an abort', () => {
  const { choice } = choose()
  fails(choice, 'sem_video')
  choice.ended(A, 'ffmpeg', 'aborted', false, 0)
  expect(choice.isTrying(A)).toBe(true)
})

it('begins with the client of the setting and of the remembered addresses', () => {
  expect(choose({ first: 'ffmpeg' }).choice.of(A)).toBe('ffmpeg')
  const { choice } = choose({ kept: [{ url: B, client: 'ffmpeg' }] })
  expect([choice.of(A), choice.of(B)]).toEqual(['own', 'ffmpeg'])
})

it('sends both kinds of keep-alive after two sessions of the same length, and keeps that if the session lasts', () => {
  const { choice, kept } = choose()
  fails(choice, 'fluxo_encerrado', true, A, 60_000)
  fails(choice, 'fluxo_encerrado', true, A, 20_000)
  fails(choice, 'fluxo_encerrado', true, A, 61_000)
  expect(choice.of(A)).toBe('own')
  fails(choice, 'video_parado', true, A, 60_300)
  expect([choice.of(A), choice.of(B)]).toEqual(['own_keep', 'own'])
  choice.keyframe(A, 'own_keep', 100_000)
  expect(kept).toEqual([])
  choice.keyframe(A, 'own_keep', 181_000)
  choice.keyframe(A, 'own_keep', 183_000)
  expect([choice.of(A), kept]).toEqual(['own_keep', [`${A} own_keep fluxo_encerrado`]])
})

it('returns to one kind of keep-alive if both do not help, for good', () => {
  const { choice, kept } = choose({ first: 'own_udp' })
  for (let n = 0; n < 2; n += 1) fails(choice, 'fluxo_encerrado', true, A, 10_000)
  expect(choice.of(A)).toBe('own_udp_keep')
  for (let n = 0; n < 2; n += 1) fails(choice, 'fluxo_encerrado', true, A, 10_000)
  expect(choice.of(A)).toBe('own_udp')
  for (let n = 0; n < 4; n += 1) fails(choice, 'fluxo_encerrado', true, A, 10_000)
  expect([choice.of(A), kept]).toEqual(['own_udp', []])
})
