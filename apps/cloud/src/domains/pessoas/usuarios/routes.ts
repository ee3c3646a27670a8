import { camposLista } from '@vigia/contracts/paginas'
import { usuarioCreateSchema, usuarioPatchSchema, usuarioSchema } from '@vigia/contracts/usuarios'
import { idTexto } from '@vigia/contracts/values'
import { z } from 'zod'
import { answerList } from '../../../http/list-answer.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { changeUsuario, removeUsuario } from './change-usuario.ts'
import { createUsuario } from './create-usuario.ts'
import type { UsuariosDeps } from './deps.ts'
import { countUsuarios, listUsuarios } from './store.ts'
import { viewUsuario } from './view-usuario.ts'

const params = z.object({ usuario_id: idTexto })

export const usuariosRoutes = (deps: UsuariosDeps): Route[] => [
  defineRoute({
    method: 'get',
    path: '/api/v1/usuarios',
    operacao: 'listarUsuarios',
    cabecalhos: ['X-Total-Count', 'Link'],
    acesso: 'sessao',
    erros: [429],
    efeito: 'so_login',
    resumo: 'Logins no escopo do login',
    query: z.object({ empresa_id: idTexto.optional(), ...camposLista }),
    respostas: { 200: z.array(usuarioSchema) },
    handler: async ({ caller, query }) => {
      const empresas = await narrowScope(deps.db, caller, query.empresa_id)
      return await answerList(caller, query, {
        path: '/api/v1/usuarios',
        count: () => countUsuarios(deps.db, empresas),
        read: (after, limit) => listUsuarios(deps.db, empresas, after, limit),
        view: viewUsuario,
      })
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/v1/usuarios',
    operacao: 'criarUsuario',
    erros: [409, 429],
    acesso: 'escrita',
    efeito: 'grants',
    resumo: 'Cria um login',
    json: usuarioCreateSchema,
    respostas: { 201: usuarioSchema },
    handler: async ({ caller, json }) => ({ status: 201, body: await createUsuario(deps, caller, json) }),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/v1/usuarios/{usuario_id}',
    operacao: 'alterarUsuario',
    erros: [409, 429],
    acesso: 'escrita',
    efeito: 'grants',
    resumo: 'Muda senha, papel, situação ou alcance de um login; só um alcance novo não encerra as sessões',
    params,
    json: usuarioPatchSchema,
    respostas: { 200: usuarioSchema },
    handler: async ({ caller, params, json }) => ({
      status: 200,
      body: await changeUsuario(deps, caller, params.usuario_id, json),
    }),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/v1/usuarios/{usuario_id}',
    operacao: 'removerUsuario',
    erros: [409],
    acesso: 'escrita',
    efeito: 'destroys',
    resumo: 'Remove um login, nunca o próprio',
    params,
    respostas: { 204: null },
    handler: async ({ caller, params }) => {
      await removeUsuario(deps, caller, params.usuario_id)
      return { status: 204 }
    },
  }),
]
