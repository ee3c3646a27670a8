import type { Camera } from '@vigia/contracts/cameras'
import { describe, expect, it } from 'vitest'
import { changeOf, checkForm, creationOf, emptyForm, formOf, NOVA_EMPRESA } from './camera-form.ts'

const url = 'rtsp://192.168.0.10:554/main'
const masked = 'rtsp://admin:****@192.168.0.10:554/main'
const camera = { nome: 'Pátio', rtsp_url: masked, sub_rtsp_url: masked, perfil: null, empresa_id: 3 } as Camera

describe('the form of a camera', () => {
  it('names missing fields before the request', () => {
    expect(checkForm(emptyForm, { needsEmpresa: true })).toEqual({
      nome: 'nomeFalta',
      rtsp_url: 'rtspFalta',
      empresa_id: 'empresaFalta',
    })
    expect(checkForm(emptyForm, { needsEmpresa: false })).not.toHaveProperty('empresa_id')
  })

  it.each(['http://192.168.0.10/', '192.168.0.10', 'rtsp://', 'rtsp:///main'])('rejects %s as a stream', (rtsp_url) => {
    expect(checkForm({ ...emptyForm, empresa_id: '1', nome: 'x', rtsp_url }, { needsEmpresa: true })).toEqual({
      rtsp_url: 'rtspFalta',
    })
  })

  it('requires the name of a new Empresa', () => {
    const form = { ...emptyForm, nome: 'x', rtsp_url: url, empresa_id: NOVA_EMPRESA }
    expect(checkForm(form, { needsEmpresa: true })).toEqual({ empresa_nome: 'empresaNomeFalta' })
    expect(checkForm({ ...form, empresa_nome: 'Loja' }, { needsEmpresa: true })).toEqual({})
  })

  it('accepts an unchanged masked address', () => {
    expect(checkForm(formOf(camera), { needsEmpresa: true })).toEqual({})
  })

  it('sends only filled fields in the creation', () => {
    expect(creationOf({ ...emptyForm, nome: ' Pátio ', rtsp_url: ` ${url} ` })).toEqual({
      nome: 'Pátio',
      rtsp_url: url,
    })
    expect(
      creationOf({
        ...emptyForm,
        nome: 'P',
        rtsp_url: url,
        sub_rtsp_url: url,
        perfil: 'obra',
        placas: 'sim',
        empresa_id: '4',
      }),
    ).toEqual({
      nome: 'P',
      rtsp_url: url,
      sub_rtsp_url: url,
      perfil: 'obra',
      empresa_id: 4,
    })
  })

  it('sends plates only with a Perfil that reads them', () => {
    const form = { ...emptyForm, nome: 'P', rtsp_url: url, placas: 'sim' }
    expect(creationOf({ ...form, perfil: 'condominio' })).toMatchObject({ perfil: 'condominio', placas: true })
    expect(creationOf({ ...form, perfil: 'condominio', placas: '' })).not.toHaveProperty('placas')
  })

  it('sends only changed fields, so that a new name does not send the masked address', () => {
    const form = formOf(camera)
    expect(changeOf(camera, { ...form, nome: 'Pátio 2' })).toEqual({ nome: 'Pátio 2' })
    expect(changeOf(camera, { ...form, sub_rtsp_url: '' })).toEqual({ sub_rtsp_url: null })
    expect(changeOf(camera, { ...form, rtsp_url: url })).toEqual({ rtsp_url: url })
    expect(changeOf(camera, { ...form, nome: 'Pátio ' })).toBeNull()
  })
})
