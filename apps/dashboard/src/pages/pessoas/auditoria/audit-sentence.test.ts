import { acoesAuditoria, canaisAuditoria, objetosAuditoria, type RegistroAuditoria } from '@vigia/contracts/auditoria'
import { describe, expect, it } from 'vitest'
import { fixtureRegistro } from '../../../test/registro-fixture.ts'
import { createTexts } from '../../../texts/i18n.ts'
import { auditSentence, fieldName } from './audit-sentence.ts'
import { fieldValue } from './field-value.ts'

const texts = await createTexts('pt-BR')
await texts.load('auditoria')
const { t } = texts.i18n
const say = (over: Partial<RegistroAuditoria>) => auditSentence(t, fixtureRegistro(over))

describe('the sentence of a record', () => {
  it.each<[Partial<RegistroAuditoria>, string]>([
    [{}, 'ana alterou a câmera “Portão”: nome'],
    [
      { antes: { zonas: [], linha: null, nome: 'a' }, depois: { zonas: [[]], linha: [[]], nome: 'b' } },
      'ana alterou a câmera “Portão”: zonas, linha, nome',
    ],
    [
      { objeto: 'gravador', antes: {}, depois: { nome: 1, host: 1, porta: 1, usuario: 1, senha: 1, coisa_nova: 1 } },
      'ana alterou o gravador “Portão”: nome, endereço, porta, usuário do equipamento e mais 2',
    ],
    [{ antes: { ativa: true }, depois: { ativa: false } }, 'ana alterou a câmera “Portão”: desligada'],
    [{ antes: { ativa: false }, depois: { ativa: true } }, 'ana alterou a câmera “Portão”: ligada'],
    [
      { objeto: 'usuario', objeto_nome: 'rui', antes: { ativo: true }, depois: { ativo: false } },
      'ana alterou o login “rui”: desligado',
    ],
    // Two fields with one screen name appear once.
    [
      { antes: {}, depois: { ias_habilitadas: ['fogo'], eventos_habilitados: ['fogo'] } },
      'ana alterou a câmera “Portão”: o que vigia',
    ],
    [{ acao: 'criar', objeto: 'empresa', objeto_nome: 'Mercado', antes: null }, 'ana criou a Empresa “Mercado”'],
    [{ acao: 'remover', objeto: 'edge', objeto_nome: null }, 'ana removeu a caixa nº 7'],
    [{ acao: 'revisar', objeto: 'evento', objeto_nome: null, objeto_id: 12 }, 'ana revisou o alerta nº 12'],
    [{ acao: 'emitir_codigo', objeto: 'edge', objeto_nome: 'Loja' }, 'ana gerou um código de ativação da caixa “Loja”'],
    [
      { acao: 'trocar_segredo', objeto: 'canal_notificacao', objeto_nome: null },
      'ana trocou o segredo do canal de notificação nº 7',
    ],
    [{ acao: 'entrar', objeto: 'sessao' }, 'ana entrou'],
    [
      { acao: 'recusar', objeto: 'autorizacao_oauth', objeto_nome: 'Claude' },
      'ana recusou o acesso do agente “Claude”',
    ],
    [
      { acao: 'ativar', objeto: 'edge', objeto_nome: 'Loja', username: null, canal: 'edge' },
      'A caixa “Loja” foi ativada',
    ],
    [
      { acao: 'autorizar', objeto: 'autorizacao_oauth', objeto_nome: 'Claude' },
      'ana autorizou o acesso do agente “Claude”',
    ],
    [
      { acao: 'revogar', objeto: 'autorizacao_oauth', objeto_nome: 'Claude' },
      'ana retirou o acesso do agente “Claude”',
    ],
    [
      { canal: 'agente', cliente: 'Claude (code) (6d3f7f0e)' },
      'O agente “Claude (code)”, em nome de ana, alterou a câmera “Portão”: nome',
    ],
    [
      { canal: 'chave', cliente: 'ERP (matriz)', username: null },
      'A chave “ERP (matriz)” alterou a câmera “Portão”: nome',
    ],
    [
      { canal: 'agente', cliente: 'Claude (6d3f7f0e)', username: null, acao: 'revogar', objeto: 'autorizacao_oauth' },
      'O agente “Claude” retirou o acesso do agente “Portão”',
    ],
    [{ canal: 'sistema', username: null, acao: 'remover' }, 'O sistema removeu a câmera “Portão”'],
    [{ canal: 'api', username: null, acao: 'remover' }, 'Alguém sem login removeu a câmera “Portão”'],
  ])('%j', (over, sentence) => {
    expect(say(over)).toBe(sentence)
  })

  it('inserts foreign names as text, not as a template', () => {
    const nome = '$t(comum.fechar) {{quem}} <b>x</b>'
    expect(say({ objeto_nome: nome, username: nome, acao: 'remover' })).toBe(`${nome} removeu a câmera “${nome}”`)
  })

  it('exists for each action and object', () => {
    for (const acao of acoesAuditoria)
      for (const objeto of objetosAuditoria)
        for (const canal of canaisAuditoria) expect(say({ acao, objeto, canal })).not.toMatch(/auditoria\.|\{\{/)
  })
})

it('uses the screen name of a field, or its own name if it has none', () => {
  expect(fieldName(t, 'resfriamento_s')).toBe('espera entre alertas (s)')
  expect(fieldName(t, 'invasao')).toBe('Invasão')
  expect(fieldName(t, 'coisa_nova')).toBe('coisa nova')
  expect(fieldName(t, 'toString')).toBe('toString')
})

it.each([
  [null, 'vazio'],
  ['', 'vazio'],
  [[], 'vazio'],
  [true, 'Sim'],
  [false, 'Não'],
  [0.5, '0,5'],
  [64000, '64000'],
  ['****', '****'],
  [['fogo', 'fumaca'], 'fogo, fumaca'],
  [[[0, 0.5]], '[ [ 0, 0.5 ] ]'],
  [{ a: null }, '{ "a": null }'],
  ['2026-11-21T12:00:00.000Z', '21/11/2026, 12:00:00 UTC'],
])('shows the value %j as %s', (value, text) => {
  expect(fieldValue(t, value, 'UTC')).toBe(text)
})
