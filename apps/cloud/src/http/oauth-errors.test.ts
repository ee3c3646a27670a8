import { invalid, VigiaError } from '@vigia/contracts/errors'
import { erroOauthSchema } from '@vigia/contracts/oauth'
import { expect, it } from 'vitest'
import { errorAnswer } from './errors.ts'
import { oauthError, oauthErrorAnswer } from './oauth-errors.ts'

const ID = '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11'
const codes = { invalid: 'invalid_request', fields: { redirect_uris: 'invalid_redirect_uri' } }
const answer = (error: unknown) => {
  const { status, headers, body } = oauthErrorAnswer(errorAnswer(error, ID), codes)
  return { status, headers, body: erroOauthSchema.strict().parse(body) }
}

it('adds the code and sentence of RFC 6749 to the usual body of an error', () => {
  const limited = answer(new VigiaError('muitas_requisicoes', { detalhe: 'Aguarde.', tentarEmS: 7 }))
  expect(limited).toEqual({
    status: 429,
    headers: { 'retry-after': '7' },
    body: { error: 'temporarily_unavailable', error_description: 'Aguarde.', detail: 'Aguarde.' },
  })
  expect(answer(new VigiaError('proibido', { detalhe: 'Não.' })).body.error).toBe('access_denied')
  expect(answer(new VigiaError('corpo_grande', { detalhe: 'Não.' })).body.error).toBe('invalid_request')
})

it('shows only the request id of an internal error', () => {
  const { status, body } = answer(new Error('segredo'))
  expect([status, body.error, body.id, JSON.stringify(body).includes('segredo')]).toEqual([
    500,
    'server_error',
    ID,
    false,
  ])
})

it.each([
  ['missing', 422],
  ['string_too_long', 422],
  ['too_long', 422],
  ['string_type', 400],
  ['json_invalid', 400],
])('answers a field with the problem %s with %i', (type, status) => {
  expect(answer(invalid(['body', 'code'], 'Errado', type))).toMatchObject({
    status,
    body: { error: 'invalid_request', error_description: 'code: Errado.', detail: [{ type }] },
  })
  expect(answer(invalid(['body', 'redirect_uris', 0], 'Errado', type)).body.error).toBe('invalid_redirect_uri')
})

it('writes the sentence in ASCII without quotes and backslashes', () => {
  expect(oauthError('x', 'Não é "válido" \\ aqui — ação\n')).toEqual({
    error: 'x',
    error_description: 'Nao e valido  aqui  acao',
  })
})
