import { cadastrarSchema, descobrirSchema, type Gravador, gravadorPatchSchema } from '@vigia/contracts/gravadores'
import { describe, expect, it } from 'vitest'
import {
  changeFormOf,
  changeOf,
  checkChange,
  checkGravador,
  checkOf,
  chosenCanais,
  discoveryOf,
  emptyGravador,
  fieldsOfEquipamento,
  fieldsOfMaker,
  freeCameras,
  hasNoVideo,
  registrationOf,
  usualPort,
  YES,
} from './gravador-form.ts'

const filled = { ...emptyGravador, empresa_id: '3', host: ' 192.168.0.20 ', senha: ' com espaço ' }

it('reports each missing value at its field', () => {
  expect(checkGravador({ ...emptyGravador, porta: '0', num_canais: 'oito' })).toEqual({
    host: 'hostFalta',
    porta: 'portaFalta',
    num_canais: 'canaisFalta',
    empresa_id: 'empresaFalta',
  })
  expect(checkGravador({ ...filled, fabricante: 'generico' })).toEqual({
    url_template: 'modeloFalta',
  })
  expect(checkGravador({ ...filled, host: 'rtsp://x/1' })).toEqual({ host: 'hostFalta' })
  expect(checkGravador(filled)).toEqual({})
})

it('sends valid bodies with the password unchanged', () => {
  const body = discoveryOf(filled)
  expect(descobrirSchema.parse(body)).toEqual(body)
  expect(body).toMatchObject({ host: '192.168.0.20', senha: ' com espaço ', porta: 554, empresa_id: 3 })
  const names = { 1: ' Portão ', 4: '  ' }
  const registration = registrationOf({ ...filled, perfil: 'comercio', nome_gravador: ' Loja ' }, [1, 4], names)
  expect(cadastrarSchema.parse(registration)).toMatchObject({
    canais: [{ canal: 1, nome: 'Portão' }, 4],
    nome_gravador: 'Loja',
    perfil: 'comercio',
  })
  const other = discoveryOf({ ...filled, fabricante: 'generico', url_template: '{base}/canal{channel}', edge_id: '9' })
  expect(descobrirSchema.parse(other)).toMatchObject({ url_template: '{base}/canal{channel}', edge_id: 9 })
})

it('discovers without the Empresa that the last step creates', () => {
  const body = discoveryOf({ ...filled, empresa_id: 'nova', empresa_nome: 'Mercado' })
  expect(descobrirSchema.parse(body).empresa_id).toBeNull()
})

describe('the choice of canais', () => {
  const found = { codec: null, resolucao: null, nome_camera: null }
  const canais = (['nova', 'vazia', 'já cadastrada', 'nova'] as const).map((estado, i) => ({
    ...found,
    canal: i + 1,
    estado,
  }))

  it('begins with the new canais, and leaves out one without a picture', () => {
    expect(chosenCanais(canais, {}, {})).toEqual([1, 4])
    expect(chosenCanais(canais, { 1: true, 4: false }, {})).toEqual([1])
    // The picture came at the second attempt.
    expect(chosenCanais(canais, { 1: true, 4: true }, {})).toEqual([1, 4])
  })

  it('knows a gravador without any video from one that did not answer for some canais', () => {
    const vazia = { ...found, canal: 1, estado: 'vazia' as const }
    const muda = { ...vazia, canal: 2, sem_resposta: true as const }
    expect(hasNoVideo([vazia, { ...vazia, canal: 2 }])).toBe(true)
    expect(hasNoVideo([vazia, muda])).toBe(false)
    expect(hasNoVideo(canais)).toBe(false)
  })

  it('belongs to the person: an empty canal and one without a picture can be ticked', () => {
    expect(chosenCanais(canais, { 4: false }, { 2: true, 4: true })).toEqual([1, 2, 4])
    expect(chosenCanais(canais, { 1: true }, { 1: false })).toEqual([4])
    expect(chosenCanais(canais, {}, { 3: true })).toEqual([1, 4])
  })
})

describe('another maker', () => {
  it('brings its usual port', () => {
    expect(['positivo', 'onvif', 'generico'].map(usualPort)).toEqual(['8554', '80', '554'])
    expect(fieldsOfMaker('positivo', emptyGravador)).toEqual({ fabricante: 'positivo', porta: '8554' })
  })

  it('keeps the port that a person typed, also the usual one', () => {
    for (const porta of ['10554', '554'])
      expect(fieldsOfMaker('positivo', { ...emptyGravador, porta, porta_mantida: YES })).toEqual({
        fabricante: 'positivo',
      })
  })

  it('fills the port that a person has emptied', () => {
    expect(fieldsOfMaker('onvif', { ...emptyGravador, porta: ' ', porta_mantida: YES })).toMatchObject({ porta: '80' })
  })
})

it('fills the form from a device of a scan', () => {
  const device = { host: '10.0.0.9', modelo: null, portas: [80, 554], fabricante: null, onvif: null }
  // The maker is still to be chosen, and the port is known to be open.
  expect(fieldsOfEquipamento(device)).toEqual({ host: '10.0.0.9', porta: '554', porta_mantida: YES })
  expect(fieldsOfEquipamento({ ...device, onvif: 8899 })).toEqual({
    host: '10.0.0.9',
    fabricante: 'onvif',
    porta: '8899',
    porta_mantida: '',
  })
  const known = { ...device, fabricante: 'hikvision', onvif: 80 } as const
  expect(fieldsOfEquipamento({ ...known, portas: [8554] })).toMatchObject({ fabricante: 'hikvision', porta: '8554' })
  expect(fieldsOfEquipamento({ ...known, portas: [37777] })).toMatchObject({ porta: '554' })
})

it('knows how many cameras fit', () => {
  const limite = (livres: number) => ({ limite: 64, uso: 64 - livres, livres })
  const known = [{ empresa_id: 3, nome: '', empresa_pai_id: null, limites: { cameras: limite(2) } }] as never
  expect(freeCameras(filled, known)).toBe(2)
  expect(freeCameras({ ...filled, empresa_id: 'nova' }, known)).toBe(64)
  expect(freeCameras(filled, undefined)).toBeNull()
})

describe('a change', () => {
  const gravador: Gravador = {
    id: 1,
    nome: 'DVR',
    empresa_id: 3,
    edge_id: 7,
    fabricante: 'intelbras',
    num_canais: 8,
    cameras: 2,
    url_template: null,
    sub_url_template: null,
    host: '10.0.0.9',
    porta: 554,
    usuario: 'admin',
    senha: 's',
    porta_rtsp: null,
    senha_em_texto: false,
    max_conexoes: 2,
    criado_em: '2026-01-01T00:00:00.000Z',
    atualizado_em: '2026-01-01T00:00:00.000Z',
  }
  const form = changeFormOf(gravador)

  it('sends only the fields that differ, and keeps the password', () => {
    expect(changeOf(gravador, form)).toBeNull()
    const patch = changeOf(gravador, { ...form, nome: ' Doca ', num_canais: '16' })
    expect(patch).toEqual({ nome: 'Doca', num_canais: 16 })
    expect(gravadorPatchSchema.parse(patch)).toEqual(patch)
    expect(changeOf(gravador, { ...form, max_conexoes: ' ' })).toEqual({ max_conexoes: null })
  })

  it('changes and clears the port of RTSP of an ONVIF device', () => {
    const onvif = { ...gravador, fabricante: 'onvif', porta_rtsp: 9554 } as const
    const shown = changeFormOf(onvif)
    expect(shown.porta_rtsp).toBe('9554')
    expect(changeOf(onvif, { ...shown, porta_rtsp: '' })).toEqual({ porta_rtsp: null })
    const patch = changeOf(onvif, { ...shown, porta_rtsp: '7554' })
    expect(patch).toEqual({ porta_rtsp: 7554 })
    expect(descobrirSchema.parse(checkOf(onvif, patch ?? {}))).toMatchObject({ porta_rtsp: 7554 })
    expect(checkChange({ ...shown, porta_rtsp: '0' })).toEqual({ porta_rtsp: 'portaFalta' })
  })

  it('sends the password itself to an ONVIF device only if a person agrees', () => {
    const onvif = { ...gravador, fabricante: 'onvif' } as const
    const shown = changeFormOf(onvif)
    const patch = changeOf(onvif, { ...shown, senha_em_texto: YES })
    expect(patch).toEqual({ senha_em_texto: true })
    expect(checkOf(onvif, patch ?? {})).toMatchObject({ senha_em_texto: true })
    expect(changeOf({ ...onvif, senha_em_texto: true }, shown)).toEqual({ senha_em_texto: false })
  })

  it('takes a limit of connections from 1 to 256, or none', () => {
    const problems = ['', '1', '256', '0', '257', 'x'].map((max_conexoes) => checkChange({ ...form, max_conexoes }))
    const refused = { max_conexoes: 'conexoesFalta' }
    expect(problems).toEqual([{}, {}, {}, refused, refused, refused])
  })

  it('is checked at the gravador when it concerns address or credentials', () => {
    expect(checkOf(gravador, { nome: 'Doca', num_canais: 16 })).toBeNull()
    const body = checkOf(gravador, { senha: 'nova' })
    expect(descobrirSchema.parse(body)).toMatchObject({ host: '10.0.0.9', usuario: 'admin', senha: 'nova', edge_id: 7 })
  })
})
