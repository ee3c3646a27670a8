import { empresaCreateSchema, empresaPatchSchema, empresaSchema } from '@vigia/contracts/empresas'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { defineRoute, type Route } from '../../http/route.ts'
import { type ChangeEmpresaDeps, changeEmpresa } from './change-empresa.ts'
import { createEmpresa } from './create-empresa.ts'
import { getEmpresa } from './get-empresa.ts'
import { listVisibleEmpresas } from './list-empresas.ts'

const params = z.object({ empresa_id: idTexto })

export const empresasRoutes = (deps: ChangeEmpresaDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/empresas',
    operacao: 'listarEmpresas',
    acesso: 'sessao',
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
    resumo:
      'Muda nome, fuso horário, exigência de segundo fator, limite de câmeras (quem administra acima), outros ' +
      'limites ou domínio (operador)',
    params,
    json: empresaPatchSchema,
    respostas: { 200: empresaSchema },
    handler: async ({ caller, params, json }) => ({
      status: 200,
      body: await changeEmpresa(deps, caller, params.empresa_id, json),
    }),
  }),
]
