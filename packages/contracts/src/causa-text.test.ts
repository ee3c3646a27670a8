import { expect, it } from 'vitest'
import { cameraFailures, cameraFailureText } from './camera-failures.ts'
import { causaText, causaTexts } from './causa-text.ts'

const text = (motivo: (typeof cameraFailures)[number]) => causaText({ motivo, complemento: null })

it('has a sentence of its own for each cause that a request can have, or leaves it to the request', () => {
  const said = cameraFailures.flatMap((motivo) => text(motivo) ?? [])
  expect(new Set(said).size).toBe(said.length)
  expect([...said].sort()).toEqual([...causaTexts].sort())
  // These have better sentences: the login is a field of the request, and the others are states of a camera.
  expect(cameraFailures.filter((motivo) => text(motivo) === null)).toEqual([
    'conectando',
    'senha_recusada',
    'sem_quadros',
    'aguardando_quadro_chave',
    'sem_quadro_chave',
    'video_grande_demais',
    'captura_reiniciada',
    'url_ilegivel',
    'erro_desconhecido',
    'edge_offline',
    'aguardando_edge',
    'sem_edge',
  ])
})

it.each(causaTexts)('promises no attempt that a request does not have: %s', (sentence) => {
  expect(sentence).not.toMatch(/Tentando|de novo sozinha|tenta no máximo/)
  expect(sentence).toMatch(/\. [A-Z]/)
})

it('names what the device answered', () => {
  const complemento = 'respondeu 302 a DESCRIBE: rtsp://10.9.8.7:8554'
  expect(causaText({ motivo: 'redirecionado', complemento })).toBe(cameraFailureText('redirecionado', complemento))
  expect(causaText({ motivo: 'equipamento_ocupado', complemento: 'respondeu 503 a DESCRIBE' })).toMatch(
    /tente outra vez\. \(respondeu 503 a DESCRIBE\)$/,
  )
})

it('says of three silent devices three things', () => {
  expect(text('sem_rota')).toMatch(/^Nada respondeu neste endereço\..*IP/)
  expect(text('conexao_recusada')).toMatch(/^Há um equipamento neste endereço, mas a porta está fechada/)
  expect(text('nao_e_rtsp')).toMatch(/^A porta atende, mas .* não é RTSP\./)
})
