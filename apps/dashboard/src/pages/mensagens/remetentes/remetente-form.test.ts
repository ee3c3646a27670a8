import { type Remetentes, remetentesPatchSchema } from '@vigia/contracts/remetentes'
import { expect, it } from 'vitest'
import { checkRemetente, remetenteBodyOf, remetenteFormOf } from './remetente-form.ts'

const email: Remetentes['email'] = {
  origem: 'painel',
  com_segredo: true,
  valores: {
    servidor: 'smtp.exemplo.com.br',
    porta: 587,
    seguranca: 'starttls',
    usuario: null,
    endereco: 'avisos@exemplo.com.br',
    nome: 'Vigia',
  },
}

it('sends back what is stored, without a secret that was not typed', () => {
  const body = remetenteBodyOf('email', remetenteFormOf(email))
  expect(body).toEqual({ email: email.valores })
  expect(remetentesPatchSchema.parse(body)).toEqual(body)
})

it('finds the fields that do not fit', () => {
  const form = remetenteFormOf(email)
  expect(checkRemetente('email', form)).toEqual({})
  expect(checkRemetente('email', { ...form, servidor: '', porta: 'x' })).toEqual({
    servidor: 'campoErrado',
    porta: 'campoErrado',
  })
  expect(checkRemetente('telegram', { ...form, token: 'curto' })).toEqual({ token: 'campoErrado' })
})

it('sends a typed secret', () => {
  const form = remetenteFormOf({ origem: 'nenhuma', com_segredo: false, valores: null })
  const token = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'
  expect(remetenteBodyOf('telegram', { ...form, token })).toEqual({ telegram: { token } })
  expect(remetenteBodyOf('whatsapp', form)).toMatchObject({ whatsapp: { content_sid_imagem: null } })
})
