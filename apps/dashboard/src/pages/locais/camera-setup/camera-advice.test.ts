import type { Evento } from '@vigia/contracts/eventos'
import type { NomeIa } from '@vigia/contracts/ias'
import { expect, it } from 'vitest'
import { type Advice, adviceFor, peopleHeightPx, streamHeight } from './camera-advice.ts'

const person = (h: number, rotulo = 'person') =>
  ({ caixas: [{ rotulo, confianca: 0.8, x: 0, y: 0, w: 0.1, h }] }) as Evento

it('the height of people is the median of their detections in the analysed stream', () => {
  expect(streamHeight('1920x1080')).toBe(1080)
  expect(streamHeight('alta')).toBeNull()
  expect(peopleHeightPx([person(0.1), person(0.5), person(0.2)], '640x480')).toBe(96)
  expect(peopleHeightPx([person(0.9, 'car')], '640x480')).toBeNull()
  expect(peopleHeightPx([person(0.1)], null)).toBeNull()
})

const good = {
  eventos_habilitados: ['invasao'] as NomeIa[],
  linha: [] as number[][],
  fps: 10 as number | null,
  quadro_chave_s: 2 as number | null,
  sem_quadro_chave_s: 1 as number | null,
  resolucao: '640x480',
  sub_rtsp_url: 'rtsp://192.0.2.1/2' as string | null,
}

it('a good camera gets no advice', () => {
  expect(adviceFor(good, 120)).toEqual([])
  const unknown = { fps: null, quadro_chave_s: null, sem_quadro_chave_s: null, resolucao: null, sub_rtsp_url: null }
  expect(adviceFor({ ...good, ...unknown }, null)).toEqual([])
})

it.each([
  ['semIa', { ...good, eventos_habilitados: [] as NomeIa[] }, null],
  ['semLinha', { ...good, eventos_habilitados: ['cruzamento_linha'] as NomeIa[] }, null],
  ['poucosQuadros', { ...good, fps: 2 }, null],
  ['gopLongo', { ...good, quadro_chave_s: 10 }, null],
  ['gopLongo', { ...good, quadro_chave_s: 120, sem_quadro_chave_s: 87 }, null],
  ['semQuadroChave', { ...good, quadro_chave_s: null, sem_quadro_chave_s: 87 }, null],
  ['resolucaoBaixa', { ...good, resolucao: '352x240' }, null],
  ['semSub', { ...good, resolucao: '3840x2160', sub_rtsp_url: null }, null],
  ['pessoasPequenas', good, 41],
  ['pessoasNoLimite', good, 105],
  ['pessoasPequenasParaIa', { ...good, eventos_habilitados: ['epi'] as NomeIa[] }, 159],
  ['pessoasPequenas', { ...good, eventos_habilitados: ['epi'] as NomeIa[] }, 41],
] satisfies [Advice, typeof good, number | null][])('%s', (advice, camera, peoplePx) => {
  expect(adviceFor(camera, peoplePx)).toEqual([advice])
})
