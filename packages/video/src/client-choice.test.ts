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

const fails = (choice: ClientChoice, failure: CameraFailure, isRead = false, url = A) =>
  choice.ended(url, choice.of(url), { failure, detail: null }, isRead)

it("keeps FFmpeg's client for an address whose keyframe arrives in its attempt", () => {
  const { choice, kept } = choose()
  expect(choice.of(A)).toBe('own')
  fails(choice, 'sem_resposta')
  expect([choice.of(A), choice.isTrying(A), choice.of(B)]).toEqual(['ffmpeg', true, 'own'])
  choice.keyframe(A, 'ffmpeg')
  choice.keyframe(A, 'ffmpeg')
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

it("tries UDP, then FFmpeg's client, when PLAY over TCP brings no packets", () => {
  const { choice, kept } = choose()
  fails(choice, 'sem_quadros')
  expect(choice.of(A)).toBe('own_udp')
  fails(choice, 'sem_quadros')
  expect([choice.of(A), choice.isTrying(A)]).toEqual(['ffmpeg', true])
  fails(choice, 'sem_quadros')
  expect([choice.of(A), choice.isTrying(A)]).toEqual(['own', false])
  fails(choice, 'sem_quadros', false, B)
  choice.keyframe(B, 'own_udp')
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
  choice.ended(A, 'ffmpeg', 'aborted', false)
  expect(choice.isTrying(A)).toBe(true)
})

it('begins with the client of the setting and of the remembered addresses', () => {
  expect(choose({ first: 'ffmpeg' }).choice.of(A)).toBe('ffmpeg')
  const { choice } = choose({ kept: [{ url: B, client: 'ffmpeg' }] })
  expect([choice.of(A), choice.of(B)]).toEqual(['own', 'ffmpeg'])
})
