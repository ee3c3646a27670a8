import { type CanalNotificacao, canalCreateSchema, canalPatchSchema } from '@vigia/contracts/notificacoes'
import { expect, it } from 'vitest'
import { canalBodyOf, canalFormOf, checkCanal, intervalos, relogio, textOfIas, withTipo } from './canal-form.ts'

const form = {
  ...canalFormOf(null),
  nome: 'Guarita',
  destinos: ' a@exemplo.com.br \n\nb@exemplo.com.br',
  empresa_id: '7',
}
const stored: CanalNotificacao = {
  id: 3,
  empresa_id: 7,
  nome: 'Guarita',
  tipo: 'webhook',
  destino: 'https://exemplo.com.br/x',
  destinatarios: [],
  ativo: true,
  camera_id: null,
  camera_ids: [5, 6],
  tipos_evento: ['invasao'],
  agenda: { inicio: 21.5, fim: 6, dias: [0] },
  avisar_quedas: false,
  com_credenciais: false,
  gravidade_min: 'media',
  certeza_min: 'alta',
  agrupar: false,
  intervalo_s: 45,
  continuacao: 'intervalo',
  resumo_hora: 0,
  politica: 'avisar',
  placas: false,
  entregas: { pendentes: 0, entregues: 0, desistidas: 0, ultimo_erro: null, ultimo_erro_em: null },
  criado_em: '2026-01-01T00:00:00Z',
  atualizado_em: '2026-01-01T00:00:00Z',
}

it('sends one destination a line, the first as destino', () => {
  const body = canalBodyOf(form, null)
  expect(body).toMatchObject({ destino: 'a@exemplo.com.br', destinatarios: ['b@exemplo.com.br'], agenda: {} })
  expect(canalCreateSchema.parse(body)).toMatchObject(body)
})

it('sends the chosen cameras, and an empty list for all', () => {
  expect(canalBodyOf(form, null).camera_ids).toEqual([])
  const body = canalBodyOf({ ...form, camera_ids: '9,4' }, null)
  expect(canalCreateSchema.parse(body)).toMatchObject({ camera_id: null, camera_ids: [9, 4] })
})

it('changes nothing when a stored canal is saved as it is', () => {
  const body = canalBodyOf(canalFormOf(stored), stored)
  expect(stored).toMatchObject(canalPatchSchema.parse(body))
})

it('sends half hours, and whole days for weekdays without hours', () => {
  const agenda = (changes: object) => canalCreateSchema.parse(canalBodyOf({ ...form, ...changes }, null)).agenda
  expect(agenda({ inicio: '18.5', fim: '6' })).toEqual({ inicio: 18.5, fim: 6 })
  expect(agenda({ inicio: '18.5', fim: '6', dias: '5,6' })).toEqual({ inicio: 18.5, fim: 6, dias: [5, 6] })
  expect(agenda({ dias: '5,6' })).toEqual({ inicio: 0, fim: 24, dias: [5, 6] })
  expect(['0', '18.5', '24'].map(relogio)).toEqual(['0:00', '18:30', '24:00'])
})

it('sends the chosen IAs in the order of the catalogue, and none for all of them', () => {
  const chosen = { ...form, quais: 'so', tipos_evento: textOfIas(['fogo', 'invasao']) }
  expect(canalBodyOf(chosen, null).tipos_evento).toEqual(['invasao', 'fogo'])
  expect(canalBodyOf({ ...chosen, quais: 'todas' }, stored).tipos_evento).toEqual([])
})

it('sends the login of a broker only when it is typed', () => {
  const broker = { ...form, tipo: 'mqtt', destinos: 'mqtts://casa.exemplo.com.br/vigia' }
  expect(canalBodyOf(broker, null)).not.toHaveProperty('credenciais')
  const credenciais = { usuario: 'casa', senha: 'x' }
  expect(canalBodyOf({ ...broker, ...credenciais }, null)).toMatchObject({ credenciais })
  expect(canalBodyOf({ ...form, ...credenciais }, null)).not.toHaveProperty('credenciais')
})

it('finds what is missing or does not fit', () => {
  const check = (changes: object) => checkCanal({ ...form, ...changes }, { needsEmpresa: true })
  expect(check({})).toEqual({})
  expect(check({ nome: ' ', destinos: '', empresa_id: '' })).toEqual({
    nome: 'nomeFalta',
    destinos: 'destinosFaltam',
    empresa_id: 'empresaFalta',
  })
  expect(check({ tipo: 'whatsapp' })).toEqual({ destinos: 'whatsapp' })
  expect(check({ inicio: '22' })).toEqual({ fim: 'horaFalta' })
  expect(check({ fim: '6' })).toEqual({ inicio: 'horaFalta' })
  expect(check({ dias: '' })).toEqual({ dias: 'diasFaltam' })
  expect(check({ quais: 'so' })).toEqual({ tipos_evento: 'iasFaltam' })
})

it('sends a new canal one message of an incidente and one at its end, and leaves a stored one', () => {
  expect(canalBodyOf(form, null)).toMatchObject({ agrupar: true, continuacao: 'fim' })
  expect(canalFormOf(stored).continuacao).toBe('intervalo')
})

it('groups by default what people read, and keeps a time between messages that is not in the list', () => {
  expect(canalFormOf(null).agrupar).toBe('sim')
  expect([withTipo('webhook').agrupar, withTipo('whatsapp').agrupar]).toEqual(['nao', 'sim'])
  expect([withTipo('webhook').placas, withTipo('telegram').placas]).toEqual(['sim', 'nao'])
  expect(intervalos('45')).toEqual(['30', '45', '60', '120', '300', '900', '3600'])
})
