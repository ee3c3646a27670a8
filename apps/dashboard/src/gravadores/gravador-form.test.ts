import { cadastrarSchema, descobrirSchema } from '@vigia/contracts/gravadores'
import { expect, it } from 'vitest'
import { checkGravador, discoveryOf, emptyGravador, newChannels, registrationOf, usualPort } from './gravador-form.ts'

const filled = { ...emptyGravador, empresa_id: '3', host: ' 192.168.0.20 ', senha: ' com espaço ' }

it('reports each missing value at its field', () => {
  expect(checkGravador({ ...emptyGravador, porta: '0', num_canais: 'oito' }, { needsEmpresa: true })).toEqual({
    host: 'hostFalta',
    porta: 'portaFalta',
    num_canais: 'canaisFalta',
    empresa_id: 'empresaFalta',
  })
  expect(checkGravador({ ...filled, fabricante: 'generico' }, { needsEmpresa: true })).toEqual({
    url_template: 'modeloFalta',
  })
  expect(checkGravador({ ...filled, host: 'rtsp://x/1' }, { needsEmpresa: false })).toEqual({ host: 'hostFalta' })
  expect(checkGravador(filled, { needsEmpresa: true })).toEqual({})
})

it('sends valid bodies with the password unchanged', () => {
  const body = discoveryOf(filled)
  expect(descobrirSchema.parse(body)).toEqual(body)
  expect(body).toMatchObject({ host: '192.168.0.20', senha: ' com espaço ', porta: 554, empresa_id: 3 })
  const registration = registrationOf({ ...filled, perfil: 'comercio', nome_gravador: ' Loja ' }, [1, 4])
  expect(cadastrarSchema.parse(registration)).toMatchObject({
    canais: [1, 4],
    nome_gravador: 'Loja',
    perfil: 'comercio',
  })
  const other = discoveryOf({ ...filled, fabricante: 'generico', url_template: '{base}/canal{channel}' })
  expect(descobrirSchema.parse(other).url_template).toBe('{base}/canal{channel}')
})

it('selects new canais, and the usual port of a maker', () => {
  const found = { codec: null, resolucao: null, nome_camera: null }
  const canais = (['nova', 'vazia', 'já cadastrada', 'nova'] as const).map((estado, i) => ({
    ...found,
    canal: i + 1,
    estado,
  }))
  expect(newChannels(canais)).toEqual([1, 4])
  expect(['positivo', 'onvif', 'generico'].map(usualPort)).toEqual(['8554', '80', '554'])
})
