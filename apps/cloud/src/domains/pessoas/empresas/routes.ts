import {
  empresaCreateSchema,
  empresaPatchSchema,
  empresaRemocaoSchema,
  empresaRemovidaSchema,
  empresaSchema,
} from '@vigia/contracts/empresas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../../http/route.ts'
import { type ChangeEmpresaDeps, changeEmpresa } from './change-empresa.ts'
import { createEmpresa } from './create-empresa.ts'
import { type EndDemonstrationDeps, endDemonstration } from './end-demonstration.ts'
import { getEmpresa } from './get-empresa.ts'
import { listVisibleEmpresas } from './list-empresas.ts'
import { removeEmpresa } from './remove-empresa.ts'

const params = z.object({ empresa_id: idTexto })

export const empresasRoutes = (deps: ChangeEmpresaDeps & EndDemonstrationDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas',
    operacao: 'listarEmpresas',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Empresas no escopo do login',
    respostas: { 200: z.array(empresaSchema) },
    handler: async ({ caller }) => ({ status: 200, body: await listVisibleEmpresas(deps, caller) }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/empresas',
    operacao: 'criarEmpresa',
    erros: [409],
    acesso: 'escrita',
    efeito: null,
    resumo: 'Cria uma Empresa abaixo da Empresa do login',
    json: empresaCreateSchema,
    respostas: { 201: empresaSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await createEmpresa(deps, caller, json) }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas/{empresa_id}',
    operacao: 'verEmpresa',
    acesso: 'sessao',
    efeito: null,
    resumo: 'Uma Empresa',
    params,
    respostas: { 200: empresaSchema },
    handler: async ({ caller, params }) => ({ status: 200, body: await getEmpresa(deps, caller, params.empresa_id) }),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/v1/empresas/{empresa_id}',
    operacao: 'alterarEmpresa',
    erros: [409],
    acesso: 'escrita',
    efeito: ['reveals', 'grants', 'destroys'],
    resumo:
      'Muda nome, fuso horário, segundo fator, placas dos vigilantes, limite de câmeras (quem administra acima), ' +
      'outros limites ou domínio (operador)',
    params,
    json: empresaPatchSchema,
    respostas: { 200: empresaSchema },
    handler: async ({ caller, params, json }) => ({
      status: 200,
      body: await changeEmpresa(deps, caller, params.empresa_id, json),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/empresas/{empresa_id}',
    operacao: 'removerEmpresa',
    erros: [409, 429],
    acesso: 'escrita',
    efeito: 'destroys',
    resumo: 'Remove uma Empresa com tudo o que é dela; pede a senha de novo',
    descricao:
      'Só quem administra a Empresa acima, ou o operador; 409 enquanto houver Empresas abaixo. Logins, sessões, ' +
      'agentes, chaves, telas, caixas, câmeras, gravadores e canais acabam na hora; eventos e imagens são ' +
      'apagados em seguida. A auditoria fica.',
    params,
    json: empresaRemocaoSchema,
    respostas: { 202: empresaRemovidaSchema },
    handler: async ({ caller, params, json }) => ({
      status: 202,
      body: await removeEmpresa(deps, caller, params.empresa_id, json),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/empresas/{empresa_id}/encerrar-demonstracao',
    operacao: 'encerrarDemonstracao',
    erros: [409],
    acesso: 'escrita',
    efeito: 'destroys',
    resumo: 'Remove uma demonstração com tudo o que é dela (operador)',
    params,
    respostas: { 202: empresaRemovidaSchema },
    handler: async ({ caller, params }) => ({
      status: 202,
      body: await endDemonstration(deps, caller, params.empresa_id),
    }),
  }),
]
